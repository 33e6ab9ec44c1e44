import { lazy, Suspense, useState } from "react";
import { useNavigate, useParams } from "react-router";
import type { PromptOut, PromptVersionOut } from "@/api/generated/config-api";
import { useGetPromptQuery, useListPromptVersionsQuery } from "@/api/prompts";
import { Button, ButtonLink } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { CreatedBy } from "@/components/CreatedBy";
import { SelectField } from "@/components/Field";
import { Menu } from "@/components/Menu";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { excerpt, harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useUrlText } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { VersionDiff } from "./VersionDiff";
import { VersionView } from "./VersionView";

const RenamePrompt = lazy(() => loadCode(async () => ({ default: (await import("./RenamePrompt")).RenamePrompt })));
const DeletePrompt = lazy(() => loadCode(async () => ({ default: (await import("./DeletePrompt")).DeletePrompt })));

/** The server's maximum page size. */
const MOST_VERSIONS = 500;
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** `/prompts/:promptId`; `?version=<number>` shows an earlier version, `?against=<number>` compares it with another. */
export default function PromptPage() {
  const { promptId = "" } = useParams();
  const prompt = useGetPromptQuery({ id: promptId }, { refetchOnMountOrArgChange: true });
  const versions = useListPromptVersionsQuery({ id: promptId, limit: MOST_VERSIONS }, { refetchOnMountOrArgChange: true });
  useTitle(prompt.currentData ? harmless(prompt.currentData.name) : "Prompt");
  const failed = [prompt, versions].find((one) => one.isError && !one.currentData);
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {prompt.currentData && versions.currentData ? (
        <Loaded key={promptId} prompt={prompt.currentData} versions={versions.currentData.items} />
      ) : !failed ? (
        <Skeleton className="h-96" />
      ) : [404, 422].includes(toProblem(failed.error).status ?? 0) ? (
        <>
          <PageHead title="Prompt" parent={{ to: "/prompts", label: "All prompts" }} />
          <Message icon="ring" title="There is no such prompt">
            <p>It may have been deleted, or the link is incomplete. All prompts are in the list.</p>
          </Message>
        </>
      ) : (
        <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />
      )}
    </div>
  );
}

function Loaded({ prompt, versions }: { prompt: PromptOut; versions: readonly PromptVersionOut[] }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"rename" | "delete" | null>(null);
  const [number, setNumber] = useUrlText("version");
  const [against, setAgainst] = useUrlText("against");
  const shown = versions.find((one) => String(one.number) === number) ?? prompt.newest;
  const other = versions.find((one) => String(one.number) === against && one.number !== shown.number);
  const close = () => setAsked(null);
  return (
    <>
      <PageHead
        title={harmless(prompt.name)}
        parent={{ to: "/prompts", label: "All prompts" }}
        note={<>{shown.number === prompt.newest.number ? `Version ${shown.number}` : `Version ${shown.number} of ${prompt.newest.number}`} <CreatedBy id={shown.created_by} /></>}
        actions={
          <>
            <Menu
              label="More about the prompt"
              icon="more"
              iconOnly
              entries={[
                { label: "Rename…", icon: "pencil", right: "prompts:update", onSelect: () => setAsked("rename") },
                { label: "Delete…", icon: "trash", danger: true, right: "prompts:delete", onSelect: () => setAsked("delete") },
              ]}
            />
            <ButtonLink kind="primary" icon="pencil" right="prompts:create" to={`/prompts/${prompt.id}/edit${shown.number === prompt.newest.number ? "" : `?version=${shown.number}`}`}>New version</ButtonLink>
          </>
        }
      />
      {prompt.description && <PlainText text={prompt.description} maxLines={4} className="max-w-4xl text-ink-2" />}
      <VersionView version={shown} />
      <Section title="Versions" aside={<CopyButton label={`Copy the id of version ${shown.number}`} text={() => shown.id} />}>
        <table className="w-full table-fixed">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className={`${CELL} w-28 text-left font-medium`}>Version</th>
              <th scope="col" className={`${CELL} text-left font-medium`}>What changed</th>
              <th scope="col" className={`${CELL} hidden w-36 text-left font-medium md:table-cell`}>Content hash</th>
              <th scope="col" className={`${CELL} hidden w-40 text-left font-medium sm:table-cell`}>Made</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {versions.map((one) => (
              <tr key={one.id}>
                <td className={CELL}>
                  {one.id === shown.id ? (
                    <span className="font-medium">{one.number} <span className="font-normal text-ink-2">(shown)</span></span>
                  ) : (
                    <Button kind="ghost" className="-my-1 -ml-2.5" aria-label={`Show version ${one.number}`} onClick={() => setNumber(one.number === prompt.newest.number ? "" : String(one.number))}>{one.number}</Button>
                  )}
                </td>
                <td className={`${CELL} wrap-anywhere text-ink-2`}>{one.notes ? harmless(excerpt(one.notes, 400, 4).text) : "No notes"}</td>
                <td className={`${CELL} hidden font-mono text-xs leading-5 md:table-cell`} title={one.content_hash}>{one.content_hash.slice(0, 12)}</td>
                <td className={`${CELL} hidden text-ink-2 sm:table-cell`}><Moment at={one.created_at} /></td>
              </tr>
            ))}
          </tbody>
        </table>
        {versions.length > 1 && (
          <div className="border-t border-line px-4 py-3">
            <SelectField
              label={`Compare version ${shown.number} with`}
              className="max-w-56"
              options={[{ value: "", label: "No version" }, ...versions.filter((one) => one.id !== shown.id).map((one) => ({ value: String(one.number), label: `Version ${one.number}` }))]}
              value={other ? against : ""}
              onChange={setAgainst}
            />
          </div>
        )}
      </Section>
      {other && <VersionDiff before={other.number < shown.number ? other : shown} after={other.number < shown.number ? shown : other} />}
      <Suspense>{asked === "rename" && <RenamePrompt prompt={prompt} onClose={close} />}</Suspense>
      <Suspense>{asked === "delete" && <DeletePrompt prompt={prompt} onClose={close} onDeleted={() => void navigate("/prompts")} />}</Suspense>
    </>
  );
}
