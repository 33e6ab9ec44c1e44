import { useState, type ReactNode } from "react";
import { Button, ButtonLink, IconButton } from "@/components/Button";
import { zoomedAxis } from "@/components/charts/axis";
import { BarRows } from "@/components/charts/BarRows";
import { ChartFrame } from "@/components/charts/ChartFrame";
import { HeatLegend } from "@/components/charts/HeatLegend";
import { HeatPicture } from "@/components/charts/HeatPicture";
import { IntervalPlot } from "@/components/charts/IntervalPlot";
import { CheckList } from "@/components/CheckList";
import { Chip, StateIcon, StateText, type Tone } from "@/components/Chip";
import { Combobox, MultiSelect } from "@/components/Combobox";
import { DiffView } from "@/components/DiffView";
import { Disclosure } from "@/components/Disclosure";
import { FactStrip } from "@/components/FactStrip";
import { CheckField, NumberField, SelectField, TextAreaField, TextField } from "@/components/Field";
import { FileDrop } from "@/components/FileDrop";
import { FilterChips } from "@/components/FilterChips";
import { AxisEnds, IntervalBar } from "@/components/IntervalBar";
import { Markdown } from "@/components/Markdown";
import { Menu } from "@/components/Menu";
import { Message, Skeleton } from "@/components/Message";
import { Meter } from "@/components/Meter";
import { Pager } from "@/components/Pager";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { ProgressBar } from "@/components/ProgressBar";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { formatPercent, formatShare } from "@/lib/format";
import { useTitle } from "@/lib/use-title";

const COLOURS = ["page", "surface", "sunken", "hover", "selected", "line", "line-strong", "field", "ink", "ink-2", "ink-3", "accent", "accent-strong", "on-accent", "good", "good-soft", "good-fill", "info", "info-soft", "info-fill", "warn", "warn-soft", "warn-fill", "bad", "bad-soft", "bad-fill", "mute-soft"] as const;
const SIZES = ["text-2xs", "text-xs", "text-sm", "text-base", "text-lg", "text-xl"] as const;
const TONES = ["neutral", "info", "good", "warn", "bad"] as const satisfies readonly Tone[];
const TARGETS = [
  { label: "aurora-70b", value: 0.84, interval: { low: 0.74, high: 0.94 } },
  { label: "cedar-8b", value: 0.68, interval: { low: 0.54, high: 0.81 } },
] as const;
const PROBLEM = { status: 409, data: { title: "A run is active", detail: "Wait for its end, or let this one queue." } };
const ignore = () => undefined;

/** `/dev/components`, in development only: the tokens, and the components with their states. */
export default function ComponentsPage() {
  useTitle("Components");
  return (
    <main className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <h1 className="text-xl font-semibold tracking-tight">Components</h1>
      <Tokens />
      <Buttons />
      <States />
      <Fields />
      <Choices />
      <Figures />
      <Charts />
      <Texts />
      <Placeholders />
    </main>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return <Section title={title}><div className="flex flex-col gap-4 p-4">{children}</div></Section>;
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}

function Tokens() {
  return (
    <Part title="Tokens">
      <ul aria-label="Colours" className="grid grid-cols-2 gap-2 sm:grid-cols-4 lg:grid-cols-6">
        {COLOURS.map((name) => (
          <li key={name} className="flex items-center gap-2 text-xs">
            <span aria-hidden="true" className="size-6 shrink-0 rounded border border-line" style={{ background: `var(--${name})` }} />
            <code>{name}</code>
          </li>
        ))}
      </ul>
      <HeatLegend />
      <Row>{SIZES.map((size) => <span key={size} className={size}>{size}</span>)}</Row>
    </Part>
  );
}

function Buttons() {
  return (
    <Part title="Buttons">
      {(["primary", "plain", "danger", "ghost"] as const).map((kind) => (
        <Row key={kind}>
          <Button kind={kind}>{kind}</Button>
          <Button kind={kind} icon="plus">With an icon</Button>
          <Button kind={kind} disabled>Disabled</Button>
        </Row>
      ))}
      <Row>
        <IconButton icon="copy" label="Copy" />
        <IconButton icon="copy" label="Copy, disabled" disabled />
        <ButtonLink to="#" icon="next">A link</ButtonLink>
        <Menu label="A menu" icon="more" entries={[{ label: "First", onSelect: ignore }, { label: "Disabled", disabled: true, onSelect: ignore }]} />
      </Row>
    </Part>
  );
}

function States() {
  return (
    <Part title="States">
      <Row>{TONES.map((tone) => <Chip key={tone} label={tone} tone={tone} icon="dot" />)}</Row>
      <Row>{TONES.map((tone) => <StateText key={tone} label={tone} tone={tone} icon="check" />)}</Row>
      <Row>{TONES.map((tone) => <StateIcon key={tone} label={tone} tone={tone} icon="alert" />)}</Row>
      <ProgressBar label="Progress" total={100} done={70} segments={[{ name: "completed", value: 60, tone: "good" }, { name: "failed", value: 10, tone: "bad" }]} />
      <CheckList label="Checks" checks={[{ kind: "contains", params: { text: "42" }, passed: true }, { kind: "max_words", params: { words: 20 }, passed: false, reason: "It has 31." }, { kind: "json" }]} />
    </Part>
  );
}

function Fields() {
  const [text, setText] = useState("llama");
  const [count, setCount] = useState<number | null>(3);
  const [isOn, setOn] = useState(true);
  return (
    <Part title="Fields">
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <TextField label="Text" hint="A hint below the field" value={text} onChange={setText} />
        <TextField label="Required, at fault" required value="" error="Enter a name." onChange={ignore} />
        <TextField label="Disabled" disabled value="Fixed" onChange={ignore} />
        <NumberField label="Number" value={count} onChange={setCount} />
        <SelectField label="Choice of few" value="a" options={[{ value: "a", label: "First" }, { value: "b", label: "Second" }]} onChange={ignore} />
        <TextField label="Day" type="date" value="2026-11-28" onChange={ignore} />
        <TextAreaField label="Long text" value="Two lines,&#10;or more." onChange={ignore} />
        <Combobox label="Choice of many" choices={[{ value: "a", label: "aurora-70b", detail: "hub" }]} value="a" onChange={ignore} />
        <MultiSelect label="Several" choices={[{ value: "a", label: "law" }, { value: "b", label: "sums" }]} selected={["a", "b"]} onChange={ignore} />
      </div>
      <Row>
        <CheckField label="Ticked" checked={isOn} onChange={setOn} />
        <CheckField label="Some" checked={false} some onChange={ignore} />
        <CheckField label="Not ticked" checked={false} onChange={ignore} />
        <CheckField label="Disabled" checked disabled onChange={ignore} />
      </Row>
      <FileDrop label="File" invitation="Drop a file here, or choose one" hint="CSV or JSON lines" accept=".csv,.jsonl" file={null} onFile={ignore} />
    </Part>
  );
}

function Choices() {
  const [view, setView] = useState<"table" | "review">("table");
  const [states, setStates] = useState<("failed" | "passed")[]>(["failed"]);
  return (
    <Part title="Choices">
      <Segments label="View" options={[{ value: "table", label: "Table" }, { value: "review", label: "Review" }]} value={view} onChange={setView} />
      <FilterChips label="States" options={[{ value: "failed", label: "Failed", count: "3" }, { value: "passed", label: "Passed", count: "109" }]} selected={states} onChange={setStates} />
      <Disclosure title="More of it" summary="a line that says what" open>Shown when it is open.</Disclosure>
      <Pager label="Pages" page={2} perPage={20} total={90} onPage={ignore} />
    </Part>
  );
}

function Figures() {
  const axis = zoomedAxis(TARGETS);
  return (
    <Part title="Figures">
      <FactStrip label="Facts" facts={[["Cost", "$12.40", "3 calls of unknown cost"], ["Calls", "1,204"], ["Mean score", "49.6%"]]} />
      <div className="w-56 text-right"><AxisEnds axis={axis} />{TARGETS.map((one) => <div key={one.label}><IntervalBar {...one} axis={axis} /></div>)}</div>
      <Row><Meter value={0.7} /><Meter value={null} /></Row>
    </Part>
  );
}

function Charts() {
  const axis = zoomedAxis(TARGETS);
  return (
    <Part title="Charts">
      <ChartFrame name="intervals" caption="Intervals on one axis" rows={() => [["target", "value"], ...TARGETS.map((one) => [one.label, one.value])]}>
        <IntervalPlot label="Mean score" axis={axis} format={formatShare} rows={TARGETS.map((one) => ({ key: one.label, words: formatPercent(one.value), to: "#", ...one }))} />
      </ChartFrame>
      <ChartFrame name="bars" caption="A histogram" rows={() => [["score", "items"]]}>
        <BarRows axis="Score" counts={[0, 5, 10]} format={String} ticks={[{ at: 0, text: "0" }, { at: 1, text: "10" }]} rows={[{ name: "Scores", head: { name: "aurora-70b", figures: "mean 84.0%" }, bars: [1, 0, 2, 7, 10].map((count) => ({ count, title: `${count} items`, to: "#" })), marks: [{ at: 0.8, title: "Median" }] }]} />
      </ChartFrame>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="A heat map"><HeatPicture title="Mean score by category" columns={["aurora-70b", "cedar-8b"]} rows={[{ name: "arithmetic", scores: [0.92, 0.32] }, { name: "law", scores: [0.55, null] }]} /></div>
    </Part>
  );
}

function Texts() {
  return (
    <Part title="Texts of models">
      <PlainText text={"As it is: <b>not bold</b>, \u202ehidden order shown as a sign."} />
      <Markdown text={"**Bold**, `code`, and a list:\n\n- one\n- two"} />
      <DiffView before="The capital is Sydney." after="The capital is Canberra." />
    </Part>
  );
}

function Placeholders() {
  return (
    <Part title="Empty, loading, at fault">
      <Message icon="ring" title="Nothing here yet"><p>What to do next stands here.</p></Message>
      <Skeleton className="h-10" />
      <ProblemNote error={PROBLEM} />
    </Part>
  );
}
