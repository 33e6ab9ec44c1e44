import { useId, useState, type ReactNode } from "react";
import type { TestCaseOut, VersionOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { SidePanel } from "@/components/Dialog";
import { CheckList, type ShownCheck } from "@/components/CheckList";
import { PlainText } from "@/components/PlainText";
import { formatCount, formatPercent } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useShortcuts } from "@/lib/shortcuts";
import { asText, partsOf, SOURCES } from "./case-parts";
import { CaseForm } from "./CaseForm";
import { DeleteCase } from "./DeleteCase";

interface Props {
  case: TestCaseOut;
  /** The draft that it can be edited in. */
  draft: VersionOut | undefined;
  previous: string | undefined;
  next: string | undefined;
  onOpen: (id: string | null) => void;
}

/** A complete case in the order in which a model receives it, followed by its references. */
export function CasePanel({ case: one, draft, previous, next, onOpen }: Props) {
  const [edited, setEdited] = useState<string | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const isEdited = draft !== undefined && edited === one.test_case_id;
  // A case being edited or deleted stays open: a key must not discard input or change the case in question.
  const step = (id: string | undefined) => id !== undefined && !isEdited && !isLeaving && onOpen(id);
  useShortcuts(
    "Open case",
    [
      { keys: ["j", "ArrowRight"], label: "Next case", run: () => step(next) },
      { keys: ["k", "ArrowLeft"], label: "Previous case", run: () => step(previous) },
    ],
    { modal: true },
  );
  return (
    <SidePanel open onClose={() => isEdited || onOpen(null)} title={`Case ${harmless(one.name)}`}>
      <header className="flex items-center justify-between gap-3 border-b border-line py-2.5 pr-2.5 pl-5">
        <div className="min-w-0">
          <p className="truncate text-base font-semibold" aria-hidden="true">{harmless(one.name)}</p>
          <p className="truncate text-xs text-ink-2">Row {formatCount(one.row_index + 1)}</p>
        </div>
        <div className="flex items-center">
          {draft && !isEdited && (
            <>
              <Button icon="pencil" right="datasets:update" onClick={() => setEdited(one.test_case_id)}>Edit</Button>
              <IconButton icon="trash" right="datasets:delete" label="Delete this case" onClick={() => setLeaving(true)} />
            </>
          )}
          <IconButton icon="up" label="Previous case (k)" disabled={previous === undefined || isEdited} onClick={() => step(previous)} />
          <IconButton icon="down" label="Next case (j)" disabled={next === undefined || isEdited} onClick={() => step(next)} />
          <IconButton icon="cross" label="Close (Esc)" disabled={isEdited} onClick={() => onOpen(null)} />
        </div>
      </header>
      <div key={one.test_case_id} tabIndex={0} role="group" aria-label="Case" className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-5 py-4 outline-offset-[-2px]">
        {isEdited ? <CaseForm case={one} version={draft} onDone={() => setEdited(null)} /> : <Whole case={one} />}
      </div>
      {draft && isLeaving && <DeleteCase case={one} version={draft} onClose={() => setLeaving(false)} onDeleted={() => onOpen(next ?? previous ?? null)} />}
    </SidePanel>
  );
}

function Whole({ case: one }: Pick<Props, "case">) {
  const parts = partsOf(one);
  const truth = one.ground_truth;
  const metadata = Object.entries(one.metadata);
  return (
    <>
        {parts.systemPrompt && <Text title="System prompt" text={parts.systemPrompt} />}
        {parts.context && <Text title="Context" text={parts.context} />}
        {parts.conversation.length > 0 && (
          <Part title="Conversation before it">
            <ol className="flex flex-col gap-2">
              {parts.conversation.map((turn, index) => (
                <li key={index} className={`rounded-md border border-line px-3 py-2 ${turn.role === "assistant" ? "ml-6 bg-surface" : "mr-6 bg-sunken"}`}>
                  <p className="text-xs text-ink-3">{harmless(turn.role)}</p>
                  <PlainText text={turn.content} maxLines={20} />
                </li>
              ))}
            </ol>
          </Part>
        )}
        <Text title="Prompt" text={parts.prompt} />
        {parts.expected && <Text title="Expected output" text={parts.expected} />}
        {truth && (
          <Part title="Ground truth">
            <dl className="divide-y divide-line rounded-md border border-line">
              {parts.answer && <Line name="Answer"><PlainText text={parts.answer} maxLines={20} /></Line>}
              {parts.acceptable.length > 0 && <Line name="Also accepted"><Texts texts={parts.acceptable} /></Line>}
              {parts.citations.length > 0 && <Line name="Must be cited"><Texts texts={parts.citations} /></Line>}
              {parts.rubric.map(([name, text]) => <Line key={name} name={harmless(name.replaceAll("_", " "))}><PlainText text={text} maxLines={12} /></Line>)}
              <Line name="Source">
                {SOURCES[truth.source]}
                {truth.confidence !== null && `, ${formatPercent(truth.confidence)} confidence`}
              </Line>
            </dl>
          </Part>
        )}
        {one.checks.length > 0 && <Part title="Checks"><CheckList checks={one.checks as unknown as ShownCheck[]} label="Checks" /></Part>}
        {!truth && !parts.expected && one.checks.length === 0 && <p className="text-ink-2">This case has no reference. A judge can score the answer; evaluators that compare with a reference cannot.</p>}
        {metadata.length > 0 && (
          <Part title="Metadata">
            <dl className="divide-y divide-line rounded-md border border-line">
              {metadata.map(([name, value]) => <Line key={name} name={harmless(name)}><PlainText text={asText(value)} maxLines={12} /></Line>)}
            </dl>
          </Part>
        )}
        <Json value={one} />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-2 text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <Part title={title}>
      <PlainText text={text} className="rounded-md border border-line bg-sunken px-3 py-2" />
    </Part>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="text-xs leading-5 wrap-anywhere text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Texts({ texts }: { texts: readonly string[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {texts.map((one, index) => <li key={index}><PlainText text={one} maxLines={6} /></li>)}
    </ul>
  );
}

/** Rendered only when opened. */
function Json({ value }: { value: TestCaseOut }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm font-semibold">Everything, as JSON</summary>
      {open && <PlainText text={JSON.stringify(value, null, 2)} className="mt-2 rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5" />}
    </details>
  );
}
