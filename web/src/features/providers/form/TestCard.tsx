import type { ProviderTest } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { ConnectionResult } from "../ConnectionResult";
import { ModelList } from "../ModelList";

interface Props {
  /** Otherwise a test asks a question. */
  listsModels: boolean;
  busy: boolean;
  result: ProviderTest | undefined;
  error: unknown;
  onTest: () => void;
}

/** Tries what stands in the form, before or after it is saved. */
export function TestCard({ listsModels, busy, result, error, onTest }: Props) {
  return (
    <Section title="Connection">
      <div className="flex flex-col gap-3 px-4 py-3">
        <Button icon="link" disabled={busy} onClick={onTest}>
          {busy ? "Asking…" : "Test connection"}
        </Button>
        {result ? (
          <>
            <ConnectionResult test={result} showUrl />
            {result.models.length > 0 && <ModelList models={result.models} className="max-h-80" />}
          </>
        ) : error !== undefined && error !== null ? (
          <ProblemNote error={error} />
        ) : (
          <p className="text-xs text-ink-3">
            {listsModels
              ? "Requests the list of models with the values of the form. Nothing is saved, and it costs nothing."
              : "Sends one short question with the values of the form and looks for the answer. Nothing is saved."}
          </p>
        )}
      </div>
    </Section>
  );
}
