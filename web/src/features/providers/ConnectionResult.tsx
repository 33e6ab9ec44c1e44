import type { ProviderTest } from "@/api/generated/config-api";
import { Icon } from "@/components/Icon";
import { formatLatency, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

/** The result of a connection test: the provider's models, or its error message verbatim. */
export function ConnectionResult({ test, showUrl = false }: { test: ProviderTest; showUrl?: boolean }) {
  return (
    <div role="status" className={`rounded-md px-3 py-2 ${test.ok ? "bg-good-soft text-good" : "bg-bad-soft text-bad"}`}>
      <p className="flex items-start gap-2">
        <Icon name={test.ok ? "check" : "alert"} className="mt-0.5" />
        <span className="min-w-0 wrap-anywhere">
          {test.ok ? (
            <>
              <strong className="font-semibold">It answers</strong> in {formatLatency(test.latency_ms)} · {test.models.length > 0 ? plural(test.models.length, "model") : "no list of models"}
            </>
          ) : (
            harmless(test.problem ?? "It does not answer.")
          )}
        </span>
      </p>
      {(showUrl || !test.ok) && <p className="mt-1 pl-6 font-mono text-2xs wrap-anywhere">{harmless(test.url)}</p>}
    </div>
  );
}
