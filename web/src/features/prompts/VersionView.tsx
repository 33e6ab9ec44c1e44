import type { PromptVariable, PromptVersionOut } from "@/api/generated/config-api";
import { PlainText } from "@/components/PlainText";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";
import { defaultText, TYPE_LABELS } from "./prompt-words";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-2.5 align-top first:pl-4 last:pr-4";

/** The templates and variables of a version. */
export function VersionView({ version }: { version: PromptVersionOut }) {
  return (
    <>
      {version.system_template !== null && <Section title="System message"><Template text={version.system_template} /></Section>}
      <Section title="User message"><Template text={version.user_template} /></Section>
      {version.variables.length > 0 && <Section title="Variables"><Variables variables={version.variables} /></Section>}
    </>
  );
}

function Template({ text }: { text: string }) {
  return <PlainText text={text} maxLines={200} maxCharacters={20_000} className="px-4 py-3 font-mono text-xs leading-5" />;
}

function Variables({ variables }: { variables: readonly PromptVariable[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={`${HEAD} w-2/5`}>Variable</th>
          <th scope="col" className={`${HEAD} w-20`}>Type</th>
          <th scope="col" className={HEAD}>Without a value</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {variables.map((one) => (
          <tr key={one.name}>
            <td className={CELL}>
              <span className="font-mono text-xs wrap-anywhere">{one.name}</span>
              {one.description && <p className="mt-0.5 text-xs wrap-anywhere text-ink-2">{harmless(one.description)}</p>}
            </td>
            <td className={CELL}>{TYPE_LABELS[one.type ?? "string"]}</td>
            <td className={`${CELL} wrap-anywhere`}>
              {one.default != null ? <span className="line-clamp-3 font-mono text-xs leading-5">{harmless(defaultText(one.default))}</span> : <span className="text-ink-2">{one.required === false ? "Nothing is written" : "The run is refused"}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
