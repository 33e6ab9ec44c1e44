import type { ImportResult } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { Message } from "@/components/Message";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { FaultList } from "./FaultList";
import { Evaluators, ImportCounts } from "./Findings";

/** The result of the import, and the next steps. */
export function Imported({ result, text, onAgain }: { result: ImportResult; text: string; onAgain: () => void }) {
  const { collection } = result;
  const written = (result.created ?? 0) + (result.updated ?? 0);
  return (
    <>
      <div className="card" role="status">
        <Message icon="check" title={written > 0 ? `${plural(written, "task")} imported` : "Everything was there already"}>
          {collection && (
            <p>
              {formatCount(collection.added)} added to {collection.created ? "the new collection " : ""}
              <strong className="font-semibold text-ink">{harmless(collection.name)}</strong>.
            </p>
          )}
          <div className="mt-4 flex flex-wrap justify-center gap-2">
            {collection?.id ? (
              <>
                <ButtonLink right="runs:create" to={`/runs/new?collection=${collection.id}`} icon="play" kind="primary">Run models on it</ButtonLink>
                <ButtonLink to={`/collections/${collection.id}`}>See the collection</ButtonLink>
              </>
            ) : (
              <ButtonLink to="/tasks?sort=-updated_at" kind="primary">See the tasks</ButtonLink>
            )}
            <Button icon="up" onClick={onAgain}>
              Import another file
            </Button>
          </div>
        </Message>
      </div>
      <ImportCounts result={result} />
      <Evaluators evaluators={result.evaluators} />
      {(result.bad_rows ?? []).length > 0 && <FaultList faults={result.bad_rows ?? []} bad={result.bad_row_count ?? 0} rows={result.row_count} text={text} />}
    </>
  );
}
