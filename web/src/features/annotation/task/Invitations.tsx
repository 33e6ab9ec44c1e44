import { useState } from "react";
import { useInviteAnnotatorMutation, useListAnnotationInvitationsQuery, useRevokeAnnotationInvitationMutation } from "@/api/annotation";
import type { AnnotationInvitationOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { StateText, type ChipLook } from "@/components/Chip";
import { CopyButton } from "@/components/CopyButton";
import { INPUT, SelectField, TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { errorAt } from "@/lib/form-errors";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useMay } from "@/lib/rights";

const LOOKS: Readonly<Record<AnnotationInvitationOut["status"], ChipLook>> = {
  OPEN: { label: "Open", tone: "good", icon: "link" },
  EXPIRED: { label: "Expired", tone: "neutral", icon: "clock" },
  REVOKED: { label: "Revoked", tone: "bad", icon: "ban" },
};
const TIMES = [
  { value: "24", label: "1 day" },
  { value: "168", label: "7 days" },
  { value: "336", label: "14 days" },
  { value: "720", label: "30 days" },
  { value: "2160", label: "90 days" },
];

/** Links with which people from outside label this task and see nothing else. */
export function Invitations({ taskId }: { taskId: string }) {
  const list = useListAnnotationInvitationsQuery({ taskId }, { refetchOnMountOrArgChange: true });
  const [invite, inviting] = useInviteAnnotatorMutation();
  const [revoke, revoking] = useRevokeAnnotationInvitationMutation();
  const [name, setName] = useState("");
  const [hours, setHours] = useState("336");
  const mayInvite = useMay("annotation-tasks:create");
  const errors = inviting.error === undefined ? {} : toProblem(inviting.error).fields;
  const made = inviting.data;
  const link = made === undefined ? "" : `${globalThis.location.origin}${made.path}`;
  const add = async () => {
    if (name.trim() === "" || inviting.isLoading) return;
    const answer = await invite({ taskId, annotationInvitationIn: { name: name.trim(), expires_in_hours: Number(hours) } });
    if (answer.data) setName("");
  };
  const invitations = list.data?.invitations ?? [];
  return (
    <Section title="Invitations" aside={<p className="text-xs text-ink-2">People from outside label this task and see nothing else.</p>}>
      {mayInvite && (
        <form
          className="flex flex-col gap-3 px-4 py-4"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_10rem_auto]">
            <TextField label="Name of the person" maxLength={255} value={name} error={errorAt(errors, "name")} onChange={setName} />
            <SelectField label="The link works for" options={TIMES} value={hours} onChange={setHours} />
            <Button type="submit" icon="link" className="sm:mt-5" disabled={name.trim() === "" || inviting.isLoading}>Make a link</Button>
          </div>
          {inviting.error !== undefined && <ProblemNote error={inviting.error} />}
          {made && (
            <div role="status" className="flex flex-col gap-2 rounded-md bg-good-soft px-3 py-2 text-good">
              <p>This is the link for {harmless(made.invitation.annotator)}. It is shown only now: whoever has it can label in their name.</p>
              <div className="flex flex-wrap gap-2">
                <input readOnly aria-label="Link" value={link} onFocus={(event) => event.target.select()} className={`${INPUT} h-8 min-w-0 flex-1 font-mono text-xs`} />
                <CopyButton label="Copy the link" text={() => link} />
              </div>
            </div>
          )}
        </form>
      )}
      {list.isError && <div className="px-4 pb-3"><ProblemNote error={list.error} /></div>}
      {revoking.error !== undefined && <div className="px-4 pb-3"><ProblemNote error={revoking.error} /></div>}
      {invitations.length > 0 && (
        <ul aria-label="Invitations" className="divide-y divide-line border-t border-line">
          {invitations.map((one) => (
            <li key={one.invitation_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
              <div className="min-w-0">
                <span className="font-medium wrap-anywhere">{harmless(one.annotator)}</span>
                <p className="text-xs text-ink-2">{one.status === "EXPIRED" ? "Expired" : "Works until"} {formatDate(one.expires_at)}, {one.used_at === null ? "never opened" : `opened last ${formatDate(one.used_at)}`}</p>
              </div>
              <div className="flex items-center gap-3">
                <StateText {...LOOKS[one.status]} />
                {one.status === "OPEN" && <Button kind="danger" right="annotation-tasks:delete" aria-label={`Revoke the link of ${harmless(one.annotator)}`} disabled={revoking.isLoading} onClick={() => void revoke({ taskId, invitationId: one.invitation_id })}>Revoke</Button>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
