import { useId, useState } from "react";
import { useCreator } from "@/api/creator";
import type { ReportLinkOut } from "@/api/generated/orchestrator";
import { useCreateReportLinkMutation, useListReportLinksQuery, useRevokeReportLinkMutation } from "@/api/report-links";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { FormDialog } from "@/components/Dialog";
import { INPUT, SelectField } from "@/components/Field";
import { Moment } from "@/components/Moment";
import { ProblemNote } from "@/components/Problem";
import { errorAt } from "@/lib/form-errors";
import { formatDate } from "@/lib/format";
import { toProblem } from "@/lib/problem";

const DAYS = ["1", "7", "30", "90"].map((value) => ({ value, label: value === "1" ? "1 day" : `${value} days` }));

interface Props {
  runId: string;
  onClose: () => void;
}

/** Make a link with which people read the report of the run without signing in, and revoke such links. */
export default function ShareDialog({ runId, onClose }: Props) {
  const [days, setDays] = useState("7");
  const [create, creating] = useCreateReportLinkMutation();
  const made = creating.data;
  const fields = toProblem(creating.error).fields;
  return (
    // While a link is shown, only the button closes the dialog: a click outside would lose the link.
    <FormDialog open onClose={made ? () => undefined : onClose} title="Share a read-only link">
      <p className="mt-2 text-ink-2">Whoever has the link reads the report of this run: its figures, questions, answers and reasons. Nobody needs to sign in, and nothing else can be reached with it.</p>
      <form
        className="mt-4 flex flex-wrap items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!creating.isLoading) void create({ runId, newReportLink: { expires_in_days: Number(days) } });
        }}
      >
        <SelectField label="The link works for" className="w-40" options={DAYS} value={days} error={errorAt(fields, "expires_in_days")} onChange={setDays} data-autofocus />
        <Button type="submit" kind={made ? "plain" : "primary"} icon="link" className="sm:mt-5" disabled={creating.isLoading}>{made ? "Make another link" : "Make a link"}</Button>
      </form>
      {creating.error !== undefined && <div className="mt-3"><ProblemNote error={creating.error} /></div>}
      {made && <NewLink key={made.link.id} url={`${globalThis.location.origin}${made.path}`} />}
      <Links runId={runId} onRevoked={(id) => id === made?.link.id && creating.reset()} />
      <div className="mt-4 flex justify-end"><Button onClick={onClose}>{made ? "I have kept it" : "Close"}</Button></div>
    </FormDialog>
  );
}

function NewLink({ url }: { url: string }) {
  return (
    <div role="status" className="mt-3 flex flex-col gap-2 rounded-md bg-good-soft px-3 py-2 text-good">
      <p>This is the link. It is shown only now.</p>
      {isOwnMachine(new URL(url).hostname) && (
        <p className="text-warn">Only this machine can open it. For others, make llmbench reachable at a name of its own, list that address in LLMBENCH_PUBLIC_ORIGINS, open it there, and make the link again.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <input readOnly aria-label="Link" value={url} onFocus={(event) => event.target.select()} className={`${INPUT} h-8 flex-1 font-mono text-xs`} />
        <CopyButton label="Copy the link" text={() => url} />
      </div>
    </div>
  );
}

const isOwnMachine = (host: string) => host === "localhost" || host.endsWith(".localhost") || host.startsWith("127.") || host === "[::1]";

function Links({ runId, onRevoked }: { runId: string; onRevoked: (id: string) => void }) {
  const heading = useId();
  const { data, error, isError } = useListReportLinksQuery({ runId }, { refetchOnMountOrArgChange: true });
  const [revoke, revoking] = useRevokeReportLinkMutation();
  const send = async (linkId: string) => {
    const answer = await revoke({ runId, linkId });
    if (!answer.error) onRevoked(linkId);
  };
  if (isError) return <div className="mt-3"><ProblemNote error={error} /></div>;
  if (!data || data.items.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 id={heading} className="text-xs font-medium text-ink-2">Links that work</h3>
      <ul aria-labelledby={heading} className="mt-1 max-h-60 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {data.items.map((link) => (
          <li key={link.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2">
            <About link={link} />
            <Button kind="danger" right="runs:delete" aria-label={`Revoke the link until ${formatDate(link.expires_at)}`} disabled={revoking.isLoading} onClick={() => void send(link.id)}>Revoke</Button>
          </li>
        ))}
      </ul>
      {revoking.error !== undefined && <div className="mt-2"><ProblemNote error={revoking.error} /></div>}
    </section>
  );
}

function About({ link }: { link: ReportLinkOut }) {
  const [creator] = useCreator(link.created_by);
  return (
    <div className="min-w-0">
      <p>Works until {formatDate(link.expires_at)}</p>
      <p className="text-xs wrap-anywhere text-ink-2">
        Made <Moment at={link.created_at} />{creator && <> by <bdi>{creator[1]}</bdi></>}, {link.opened_at === null ? "never opened" : <>opened last <Moment at={link.opened_at} /></>}
      </p>
    </div>
  );
}
