import type { PromptVersionOut } from "@/api/generated/config-api";
import { DiffView } from "@/components/DiffView";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";
import { defaultText, TYPE_LABELS } from "./prompt-words";

/** Show the changes from one version to a later one, word by word. */
export function VersionDiff({ before, after }: { before: PromptVersionOut; after: PromptVersionOut }) {
  const parts: readonly [string, string, string][] = [
    ["System message", before.system_template ?? "", after.system_template ?? ""],
    ["User message", before.user_template, after.user_template],
    ["Variables", variablesText(before), variablesText(after)],
  ];
  return (
    <Section title={`Changes from version ${before.number} to version ${after.number}`}>
      {after.notes && <p className="border-b border-line px-4 py-3 whitespace-pre-wrap wrap-anywhere text-ink-2">{harmless(after.notes)}</p>}
      <dl className="grid gap-x-3 gap-y-3 px-4 py-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
        {parts.filter(([, old, now]) => old !== now).map(([label, old, now]) => (
          <div key={label} className="contents">
            <dt className="text-ink-2">{label}</dt>
            <dd className="min-w-0 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
              {old !== "" && now !== "" ? <DiffView before={old} after={now} /> : now === "" ? <del className="rounded-xs bg-bad-soft text-bad">{harmless(old)}</del> : <ins className="rounded-xs bg-good-soft text-good">{harmless(now)}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** Return one line for each variable, so that a changed default is a changed word. */
function variablesText({ variables }: PromptVersionOut): string {
  return variables
    .map(({ name, type, default: usual, required, description }) =>
      [`${name}: ${TYPE_LABELS[type ?? "string"]}`, usual == null ? (required === false ? "optional" : "required") : `default ${defaultText(usual)}`, description].filter(Boolean).join(", "),
    )
    .join("\n");
}
