import { useEffect, useState } from "react";
import { MOST_PER_PAGE, useImportTasksMutation } from "@/api/tasks";
import { useListCollectionsQuery } from "@/api/collections";
import type { BadRow, ImportResult } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { FileDrop } from "@/components/FileDrop";
import { Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { formatCount, plural } from "@/lib/format";
import { toProblem } from "@/lib/problem";
import { useSettled } from "@/lib/use-settled";
import { useTitle } from "@/lib/use-title";
import { BadRows, Evaluators, ImportCounts, Notes, Preview } from "./ImportFindings";
import { ImportOptions } from "./ImportOptions";
import { goodRows, obstacle, readFile, toRequest, USUAL_PLAN, type ChosenFile, type ImportPlan } from "./import-plan";
import { Imported } from "./Imported";

const MOST_BYTES = 20 * 1024 * 1024;

export default function ImportPage() {
  useTitle("Import tasks");
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const [plan, setPlan] = useState<ImportPlan>(USUAL_PLAN);
  const [done, setDone] = useState<ImportResult | null>(null);
  const choose = async (chosen: File) => {
    // The server would refuse the file only after the upload.
    if (chosen.size > MOST_BYTES) return setUnreadable(`${chosen.name} is larger than 20 MiB: import it in parts.`);
    try {
      setFile(await readFile(chosen));
      setUnreadable(null);
      // The chosen format belonged to the other file.
      if (chosen.name !== file?.name) setPlan((now) => ({ ...now, format: null }));
    } catch {
      // A folder, or a file that was deleted.
      setUnreadable(`${chosen.name} cannot be read. Choose a file, not a folder.`);
    }
  };
  const again = () => {
    setDone(null);
    setFile(null);
  };
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      <PageHead title="Import tasks" parent={{ to: "/tasks", label: "All tasks" }} />
      {done ? (
        <Imported result={done} text={file?.text ?? ""} onAgain={again} />
      ) : (
        <FileDrop
          label="File of tasks"
          invitation="Drop a file of tasks here, or choose one"
          hint="CSV, JSON, JSON Lines, YAML, promptfoo or OpenAI Evals; in UTF-8, at most 20 MiB"
          accept=".csv,.tsv,.json,.jsonl,.ndjson,.yaml,.yml"
          file={file && { name: file.name, bytes: file.content.size }}
          onFile={(chosen) => void choose(chosen)}
        >
          {unreadable && <ProblemNote error={{ data: { title: "This file cannot be imported", detail: unreadable } }} />}
          {file ? <Check key={file.name} file={file} plan={plan} onPlan={setPlan} onDone={setDone} /> : <Shapes />}
        </FileDrop>
      )}
    </div>
  );
}

interface CheckProps {
  file: ChosenFile;
  plan: ImportPlan;
  onPlan: (plan: ImportPlan) => void;
  onDone: (result: ImportResult) => void;
}

/** Run the import as a dry run after every choice and show its result. */
function Check({ file, plan, onPlan, onDone }: CheckProps) {
  const collections = useListCollectionsQuery({ limit: MOST_PER_PAGE });
  const [tryOut, tried] = useImportTasksMutation();
  const [send, sending] = useImportTasksMutation();
  const items = collections.data?.items;
  const settled = useSettled(plan);
  useEffect(() => {
    if (items) void tryOut(toRequest(file, settled, items, true));
  }, [tryOut, file, settled, items]);

  const result = tried.data;
  const isCurrent = settled === plan && !tried.isLoading && tried.originalArgs?.body === file.content;
  const isWaiting = !isCurrent || sending.isLoading;
  const why = result && obstacle(result, plan);
  const problem = sending.error ?? (isCurrent ? tried.error : undefined);
  const { fields, body } = toProblem(problem);
  // The import can fail although the preview passed: another user may have changed the tasks.
  const refusedRows = sending.error && Array.isArray(body.bad_rows) ? (body.bad_rows as BadRow[]) : null;

  const start = async () => {
    const answer = await send(toRequest(file, plan, items ?? [], false));
    if (answer.data) onDone(answer.data);
  };

  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className={`flex min-w-0 flex-col gap-4 max-lg:order-2 ${isWaiting && result ? "opacity-70" : ""}`}>
        {problem !== undefined && <ProblemNote error={problem} />}
        {refusedRows && <BadRows rows={refusedRows} count={Number(body.bad_row_count)} text={file.text} />}
        {result && !tried.error ? (
          <>
            <ImportCounts result={result} />
            <BadRows rows={result.bad_rows ?? []} count={result.bad_row_count ?? 0} text={file.text} />
            <Notes notes={result.notes ?? []} count={result.note_count ?? 0} />
            <Evaluators evaluators={result.evaluators} />
            <Preview tasks={result.preview ?? []} count={goodRows(result)} />
          </>
        ) : (
          !tried.error && <Skeleton className="h-64" />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-4">
        <ImportOptions plan={plan} result={isCurrent ? result : undefined} collections={items ?? []} errors={fields} onChange={onPlan} />
        {collections.error && <ProblemNote error={collections.error} />}
        <div>
          <Button kind="primary" icon="up" className="w-full" disabled={isWaiting || !result || Boolean(tried.error) || why !== null} onClick={() => void start()}>
            {sending.isLoading ? "Importing…" : !isCurrent ? "Checking…" : result && !tried.error ? `Import ${plural(goodRows(result), "task")}` : "Import"}
          </Button>
          <p role="status" className="mt-2 text-xs text-ink-2">
            {isCurrent && result && (why ?? intoText(result))}
          </p>
        </div>
      </div>
    </div>
  );
}

function intoText({ collection }: ImportResult): string {
  if (!collection) return "Nothing changes until then.";
  return `${formatCount(collection.added)} of them go into ${collection.created ? "the new collection " : ""}${collection.name}.`;
}

const EXAMPLES = [
  ["CSV", "task_id,category,question,good\nsum,arithmetic,What is 17 + 25?,42"],
  ["JSON Lines", '{"task_id": "sum", "category": "arithmetic", "question": "What is 17 + 25?", "good": "42"}'],
  ["YAML", "- task_id: sum\n  category: arithmetic\n  question: What is 17 + 25?\n  good: 42"],
] as const;

/** Examples of the accepted file formats. */
function Shapes() {
  return (
    <section aria-labelledby="shapes" className="flex flex-col gap-3">
      <h2 id="shapes" className="text-sm font-semibold">What a file looks like</h2>
      <p className="text-ink-2">
        A task has <Code>task_id</Code>, <Code>category</Code> and <Code>question</Code>, and may have <Code>subcategory</Code>, <Code>excellent</Code>, <Code>good</Code>, <Code>pass</Code> and{" "}
        <Code>incorrect_answer_direction</Code>. Test files of promptfoo and samples of OpenAI Evals are read as they are. You see a preview before anything changes.
      </p>
      <div className="grid gap-4 md:grid-cols-3">
        {EXAMPLES.map(([name, text]) => (
          <div key={name} className="card min-w-0 px-4 py-3">
            <h3 className="text-xs font-medium text-ink-2">{name}</h3>
            <pre className="mt-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{text}</pre>
          </div>
        ))}
      </div>
      <p>
        <ButtonLink to="/tasks/new" icon="plus">Write a task by hand instead</ButtonLink>
      </p>
    </section>
  );
}

function Code({ children }: { children: string }) {
  return <code className="rounded bg-mute-soft px-1 font-mono text-xs text-ink">{children}</code>;
}
