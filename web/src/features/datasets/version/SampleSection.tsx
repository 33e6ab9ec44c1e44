import { useState } from "react";
import { CASES_PER_PAGE, useSampleTestCasesMutation } from "@/api/datasets";
import type { Sample, SampleIn, VersionOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { Combobox } from "@/components/Combobox";
import { CopyButton } from "@/components/CopyButton";
import { NumberField, SelectField } from "@/components/Field";
import { Pager } from "@/components/Pager";
import { Meter } from "@/components/Meter";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { CasesTable } from "./CasesTable";

const MOST_CASES = 10_000;
const STRATEGIES = [
  { value: "random", label: "At random" },
  { value: "stratified", label: "In proportion to a field" },
] as const;

/** A sample of the cases, drawn by the server. The same seed draws the same cases. */
export function SampleSection({ version, fields }: { version: VersionOut; fields: readonly string[] }) {
  const [size, setSize] = useState<number | null>(Math.min(20, version.row_count));
  const [strategy, setStrategy] = useState<NonNullable<SampleIn["strategy"]>>("random");
  const [field, setField] = useState("");
  const [seed, setSeed] = useState<number | null>(null);
  const [sent, setSent] = useState<SampleIn>();
  const [draw, drawing] = useSampleTestCasesMutation();
  const body: SampleIn = { size: size ?? 0, strategy, ...(strategy === "stratified" && { stratify_by: field }), ...(seed !== null && { seed }) };
  const errors = drawing.error ? stillTrue(toProblem(drawing.error).fields, sent, body) : {};
  const isReady = size !== null && (strategy === "random" || field.trim() !== "") && !drawing.isLoading;
  const go = () => {
    if (!isReady) return;
    setSent(body);
    void draw({ datasetId: version.dataset_id, versionNumber: version.version_number, sampleIn: body });
  };
  return (
    <Section title="Sample">
      <form
        noValidate
        className="grid grid-cols-2 items-start gap-3 border-b border-line px-4 py-3 lg:grid-cols-[8rem_14rem_14rem_12rem_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <NumberField label="Cases" min={1} max={MOST_CASES} step={1} value={size} error={errorAt(errors, "size")} onChange={setSize} />
        <SelectField label="Sampling method" value={strategy} options={STRATEGIES} onChange={setStrategy} />
        {strategy === "stratified" && (
          <Combobox
            label="Field of the metadata"
            free
            placeholder="Choose or type…"
            choices={fields.map((value) => ({ value, label: harmless(value) }))}
            value={field}
            error={errorAt(errors, "stratify_by", "body")}
            onChange={setField}
          />
        )}
        <NumberField label="Seed" hint="Leave it empty for a random seed." min={0} step={1} placeholder="Random" value={seed} error={errorAt(errors, "seed")} onChange={setSeed} />
        <Button kind="primary" icon="spark" type="submit" disabled={!isReady} className="mt-5 max-lg:col-span-2 lg:justify-self-start">
          {drawing.isLoading ? "Drawing…" : "Draw a sample"}
        </Button>
      </form>
      {drawing.error !== undefined && Object.keys(errors).length === 0 && <div className="px-4 py-3"><ProblemNote error={drawing.error} /></div>}
      {drawing.data && !drawing.error ? (
        <Drawn key={drawing.requestId} sample={drawing.data} total={version.row_count} onKeepSeed={setSeed} />
      ) : (
        <p className="px-4 py-8 text-center text-ink-2">A sample shows what the dataset contains without reading all of it.</p>
      )}
    </Section>
  );
}

function Drawn({ sample, total, onKeepSeed }: { sample: Sample; total: number; onKeepSeed: (seed: number) => void }) {
  const [page, setPage] = useState(1);
  const shown = sample.cases.slice((page - 1) * CASES_PER_PAGE, page * CASES_PER_PAGE);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
        <p role="status">
          {formatCount(sample.sample_size)} of {plural(total, "case")}, by seed <span className="font-mono">{sample.seed}</span>
        </p>
        <div className="flex items-center gap-1">
          <CopyButton iconOnly label="Copy the seed" text={() => String(sample.seed)} />
          <Button kind="ghost" icon="retry" onClick={() => onKeepSeed(sample.seed)}>Keep this seed</Button>
        </div>
      </div>
      {sample.strata.length > 0 && (
        <ul aria-label="Strata" tabIndex={0} className="grid max-h-48 gap-x-8 gap-y-1 overflow-y-auto border-t border-line px-4 py-2.5 sm:grid-cols-2 lg:grid-cols-3">
          {sample.strata.map(({ value, total: there, sampled }) => (
            <li key={value ?? ""} className="flex items-center justify-between gap-3">
              <span className={`min-w-0 truncate ${value === null ? "text-ink-3" : ""}`}>{value === null ? "without the field" : harmless(value)}</span>
              <span className="flex shrink-0 items-center gap-2 text-xs text-ink-2">
                {formatCount(sampled)} of {formatCount(there)}
                <Meter value={sample.sample_size === 0 ? null : sampled / sample.sample_size} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="border-t border-line"><CasesTable cases={shown} /></div>
      <Pager label="Pages of the sample" page={page} perPage={CASES_PER_PAGE} total={sample.cases.length} onPage={setPage} />
    </>
  );
}
