import { useListCollectionsQuery } from "@/api/collections";
import type { BadRowOut, ImportResult } from "@/api/generated/config-api";
import { MOST_PER_PAGE } from "@/api/tasks";
import { Button } from "@/components/Button";
import { Foot } from "@/components/Foot";
import { Skeleton } from "@/components/Message";
import { ProblemNote } from "@/components/Problem";
import { ProgressBar } from "@/components/ProgressBar";
import { Section } from "@/components/Section";
import { errorAt } from "@/lib/form-errors";
import { forForm } from "@/lib/form-words";
import { formatBytes, formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { CaseTable } from "./CaseTable";
import { Columns } from "./Columns";
import { FaultList } from "./FaultList";
import { Evaluators, ImportCounts, Notes } from "./Findings";
import { goodRows, obstacle, type ImportPlan } from "./import-plan";
import { rememberMapping } from "./remembered";
import { RightAnswers } from "./RightAnswers";
import { Settings } from "./Settings";
import { useCheck, type Source } from "./use-check";
import { useDatasets } from "./use-datasets";
import { usePublish, type Published } from "./use-publish";

interface Props {
  source: Source;
  plan: ImportPlan;
  isRemembered: boolean;
  isTooLarge: boolean;
  onPlan: (plan: ImportPlan) => void;
  onDone: (published: Published) => void;
}

/** The columns, the cases that the rows become, bad rows and what is right: everything before the import. */
export function Review({ source, plan, isRemembered, isTooLarge, onPlan, onDone }: Props) {
  const collections = useListCollectionsQuery({ limit: MOST_PER_PAGE });
  const datasets = useDatasets(plan.dataset);
  const { head } = source;
  const check = useCheck(source, plan, collections.data?.items);
  const publish = usePublish(source, plan, collections.data?.items ?? [], datasets.items);
  const { checked } = check;
  const isWaiting = !check.isCurrent || publish.isBusy;
  const why = checked ? obstacle(checked, plan) : null;
  // The import can fail although the check passed: other rows may be bad, and another user may have changed the tasks.
  const problem = publish.error ?? (check.isCurrent ? check.error : undefined);
  const { fields, body } = toProblem(problem);
  const refused = publish.error !== undefined && Array.isArray(body.bad_rows) ? (body.bad_rows as BadRowOut[]) : null;

  const change = (next: ImportPlan) => {
    publish.forget();
    onPlan(next);
  };
  const start = async () => {
    const published = await publish.start();
    if (!published) return;
    if (head.columns) rememberMapping(head.columns.map((one) => one.name), plan.mapping);
    onDone(published);
  };

  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className={`flex min-w-0 flex-col gap-4 ${isWaiting && checked ? "opacity-70" : ""}`}>
          {publish.sent !== null && <Sending share={publish.sent} bytes={source.bytes} onStop={publish.stop} />}
          {problem !== undefined && <ProblemNote error={problem} />}
          {refused && <FaultList faults={refused} bad={Number(body.bad_row_count)} rows={Number(body.row_count)} text={head.text} />}
          {head.columns && (
            <Columns columns={head.columns} to={plan.to} mapping={plan.mapping} read={checked?.mapping ?? []} error={errorAt(fields, "map")} isRemembered={isRemembered} onChange={(mapping) => change({ ...plan, mapping })} />
          )}
          {checked ? (
            <>
              {!check.isWhole && <Part rows={checked.rows} bytes={head.rows?.size ?? 0} of={source.bytes} isBusy={isWaiting} onAll={check.checkAll} />}
              {checked.tasks && <ImportCounts result={checked.tasks} />}
              {checked.faults.length > 0 && <FaultList faults={checked.faults} bad={checked.bad} rows={checked.rows} text={head.text} />}
              {checked.warnings.map((one) => <p key={one} className="card border-warn px-4 py-2.5 wrap-anywhere">{harmless(forForm(one))}</p>)}
              <Notes notes={checked.notes} count={checked.noteCount} />
              <CaseTable cases={checked.cases} good={goodRows(checked)} />
            </>
          ) : head.rows === null && check.error === undefined ? (
            <Part rows={0} bytes={0} of={source.bytes} isBusy={isWaiting} onAll={check.checkAll} />
          ) : (
            check.error === undefined && <div role="status" aria-label="Checking the rows"><Skeleton className="h-64" /></div>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
          <Settings plan={plan} format={check.isCurrent ? checked?.format : undefined} collections={collections.data?.items ?? []} datasets={datasets.items} errors={fields} onChange={change} />
          {collections.error && <ProblemNote error={collections.error} />}
          {plan.to === "dataset" && datasets.error !== undefined && <ProblemNote error={datasets.error} />}
          {checked && goodRows(checked) > 0 && <RightAnswers counts={checked.right} good={goodRows(checked)} isPart={!check.isWhole} />}
          <Evaluators evaluators={checked?.tasks?.evaluators} />
        </div>
      </div>
      {/* The import is in reach however many rows and settings there are. */}
      <Foot label="Import">
        <p role="status" className="min-w-0 text-xs text-ink-2 wrap-anywhere">{publish.error !== undefined ? "Not imported: the reason is above." : check.isCurrent && checked && (why ?? intoText(checked.tasks))}</p>
        <Button kind="primary" icon="up" disabled={isTooLarge || isWaiting || (head.rows !== null && !checked) || why !== null} onClick={() => void start()}>
          {publish.isBusy ? "Importing…" : !check.isCurrent ? "Checking…" : label(plan, checked && check.isWhole ? goodRows(checked) : null)}
        </Button>
      </Foot>
    </>
  );
}

function label(plan: ImportPlan, good: number | null): string {
  if (plan.to === "tasks") return good === null ? "Import" : `Import ${plural(good, "task")}`;
  const verb = plan.publish ? "Publish" : "Upload";
  return good === null ? verb : `${verb} ${plural(good, "case")}`;
}

function intoText(result: ImportResult | null): string {
  const collection = result?.collection;
  if (!collection) return "Nothing changes until then.";
  return `${formatCount(collection.added)} of them go into ${collection.created ? "the new collection " : ""}${harmless(collection.name)}.`;
}

/** A large file: the first rows are checked at once, all of them on request and when they are imported. */
function Part({ rows, bytes, of, isBusy, onAll }: { rows: number; bytes: number; of: number; isBusy: boolean; onAll: () => void }) {
  return (
    <div className="card flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
      <p className="text-ink-2">{rows > 0 ? `The first ${plural(rows, "row")} are checked: ${formatBytes(bytes)} of ${formatBytes(of)}.` : "This file is checked as a whole, which may take a minute."} The import checks every row.</p>
      <Button disabled={isBusy} onClick={onAll}>Check all rows</Button>
    </div>
  );
}

function Sending({ share, bytes, onStop }: { share: number; bytes: number; onStop: () => void }) {
  const percent = Math.floor(share * 100);
  return (
    <Section title={share < 1 ? "Sending the file" : "Checking the rows"} aside={<Button icon="cross" onClick={onStop}>Give up</Button>}>
      <div className="flex flex-col gap-2 px-4 py-4">
        <ProgressBar label="Sent" segments={[{ name: "percent sent", value: percent, tone: "info" }]} total={100} done={percent} />
        <p role="status" className="text-xs text-ink-2">
          {share < 1 ? `${percent}% of ${formatBytes(bytes)}` : "The file has arrived; its rows are read one by one. A large file takes up to a minute."}
        </p>
      </div>
    </Section>
  );
}
