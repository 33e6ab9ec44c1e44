import { useRef, useState, type ReactNode } from "react";
import type { LabelClient } from "@/api/annotation";
import type { NextItem } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { toProblem } from "@/lib/problem";
import { isAsked, isGiven, missingFields, questionsOf } from "../words";
import { CaseView } from "./CaseView";
import { Instructions } from "./Instructions";
import { labelAfter } from "./keys";
import { Questions } from "./Questions";
import { Notices, StatusLine } from "./Status";
import { SideNotes, type Panel } from "./SideNotes";
import { useActiveSeconds } from "./useActiveSeconds";
import { useLabelKeys } from "./useLabelKeys";
import { useWork, type Work } from "./useWork";
import { useShortcuts } from "@/lib/shortcuts";

interface Props {
  client: LabelClient;
  /** The title of the page, with the name of the task. */
  head: ReactNode;
  /** Shown when there is nothing left, such as a link to other tasks. */
  onward?: ReactNode;
}

/** The working screen: one item, its questions, and the keys that answer them. */
export function LabelScreen({ client, head, onward }: Props) {
  const work = useWork(client);
  const { shown } = work;
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-3 px-4 py-4 sm:px-6">
      {head}
      {shown.kind === "loading" && <Skeleton className="h-96" />}
      {shown.kind === "item" && <Item key={shown.item.item_id} item={shown.item} work={work} />}
      {shown.kind === "empty" && (
        <div className="card">
          <Notices work={work} />
          <Message icon="check" title="Nothing is left for you">
            <p>Every item has its labels, or you have labelled all items that you may. Thank you.</p>
            <div className="mt-4 flex flex-wrap justify-center gap-2">
              <Button icon="retry" onClick={() => void work.undo()}>Take back the last one</Button>
              {onward}
            </div>
          </Message>
        </div>
      )}
      {shown.kind === "stopped" && <Stopped error={shown.error} work={work} onward={onward} />}
    </div>
  );
}

function Stopped({ error, work, onward }: { error: unknown; work: Work; onward: ReactNode }) {
  const { status, title, detail } = toProblem(error);
  return (
    <div className="card">
      {status === 409 || status === 403 ? (
        <Message icon="pause" title={status === 409 ? "There is nothing to label now" : title}>
          <p>{detail}</p>
          <div className="mt-4 flex flex-wrap justify-center gap-2">
            <Button icon="retry" onClick={() => void work.load()}>Look again</Button>
            {onward}
          </div>
        </Message>
      ) : (
        <ErrorMessage error={error} onRetry={() => void work.load()} />
      )}
    </div>
  );
}

function Item({ item, work }: { item: NextItem; work: Work }) {
  const fields = questionsOf(item.annotation_schema);
  const { labels } = work.entry;
  const asked = fields.filter((field) => isAsked(field, labels));
  const missing = missingFields(fields, labels);
  const [active, setActive] = useState(() => Math.max(0, asked.findIndex((field) => missing.includes(field))));
  const [isPaused, setPaused] = useState(false);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [isTried, setTried] = useState(false);
  const questions = useRef<HTMLDivElement>(null);
  const seconds = useActiveSeconds(item.item_id, isPaused);
  const current = asked[Math.min(active, asked.length - 1)];

  const set = (name: string, value: unknown) => {
    const next = { ...labels, [name]: value };
    work.change({ labels: next });
    return next;
  };
  /** Choose by key, and go on to the next question that has no label. */
  const press = (key: string): boolean => {
    if (!current || isPaused || panel !== null) return false;
    const value = labelAfter(current, labels[current.name], key);
    if (value === undefined) return false;
    const next = set(current.name, value);
    if (isGiven(current, value) && !current.multiple) {
      const after = fields.filter((field) => isAsked(field, next));
      const place = after.findIndex((field, at) => at > active && !isGiven(field, next[field.name]));
      if (place > 0 && !key.startsWith("Arrow")) setActive(place);
    }
    return true;
  };
  const submit = () => {
    if (isPaused || panel === "skip") return;
    setTried(true);
    const [first] = missing;
    if (first === undefined) {
      void work.submit({ time_spent_seconds: seconds(), skipped: false });
      return;
    }
    setActive(asked.indexOf(first));
    // A text is written at once; other questions are answered by their keys.
    questions.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(first.name)}"] textarea`)?.focus();
  };
  const skip = (reason: string) => {
    setPanel(null);
    void work.submit({ time_spent_seconds: seconds(), skipped: true, skip_reason: reason });
  };
  const step = (by: 1 | -1) => setActive((now) => Math.max(0, Math.min(asked.length - 1, now + by)));
  const pause = () => setPaused((now) => !now);
  useLabelKeys({ press, submit });
  useShortcuts("Labelling", [
    { keys: ["j"], label: "Next question", run: () => step(1) },
    { keys: ["k"], label: "Previous question", run: () => step(-1) },
    { keys: ["s"], label: "Skip the item", run: () => item.allow_skip && !isPaused && setPanel("skip") },
    { keys: ["f"], label: "Flag the item", run: () => setPanel("flag") },
    { keys: ["n"], label: "Write a note", run: () => setPanel("note") },
    { keys: ["u"], label: "Take back the last labels", run: () => void work.undo() },
    { keys: ["p"], label: "Pause, or go on", run: pause },
  ]);
  const refused = work.error === undefined ? {} : toProblem(work.error).fields;
  const faults = {
    ...(isTried && Object.fromEntries(missing.map((field) => [field.name, "This question needs an answer."]))),
    ...Object.fromEntries(Object.entries(refused).map(([path, message]) => [path.replace(/^labels\./, ""), message])),
  };
  return (
    <>
      <StatusLine item={item} work={work} isPaused={isPaused} onPause={pause} />
      <Notices work={work} />
      <Instructions text={item.instructions} isFirst={item.position === 1} />
      {isPaused ? (
        <div className="card">
          <Message icon="pause" title="Paused">
            <p>The time does not count, and the item is hidden. Your choices so far are kept.</p>
            <Button kind="primary" icon="play" className="mt-4" data-autofocus onClick={pause}>Go on</Button>
          </Message>
        </div>
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
          <section aria-label="Item" className="card min-w-0 px-4 py-4"><h2 className="sr-only">Item</h2><CaseView shown={item.test_case} /></section>
          <section aria-label="Questions" className="card flex min-w-0 flex-col gap-4 px-4 py-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto" ref={questions}>
            <h2 className="sr-only">Questions</h2>
            <Questions fields={fields} labels={labels} answer={item.test_case.output} active={Math.min(active, asked.length - 1)} faults={faults} onActive={setActive} onChange={set} />
            <SideNotes entry={work.entry} allowSkip={item.allow_skip} panel={panel} onPanel={setPanel} onChange={work.change} onSkip={skip} />
            <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap gap-2 border-t border-line bg-surface px-4 py-3">
              <Button kind="primary" icon="check" className="h-11 flex-1 sm:h-9" disabled={work.isBusy} onClick={submit}>{work.isBusy ? "Storing…" : "Submit"}</Button>
              {item.allow_skip && <Button className="h-11 sm:h-9" onClick={() => setPanel("skip")}>Skip</Button>}
              <Button icon="retry" className="h-11 sm:h-9" disabled={work.isBusy} onClick={() => void work.undo()}>Undo</Button>
            </div>
          </section>
        </div>
      )}
    </>
  );
}
