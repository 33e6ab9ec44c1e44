import { useListProviderModelsQuery } from "@/api/providers";
import type { ProviderOut } from "@/api/generated/config-api";
import { Button, IconButton } from "@/components/Button";
import { SidePanel } from "@/components/Dialog";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { formatLatency } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { ModelList } from "./ModelList";

/** The models of a provider, fetched when the panel opens. */
export function ModelsPanel({ provider, onClose }: { provider: ProviderOut; onClose: () => void }) {
  const { data, error, isError, isFetching, refetch } = useListProviderModelsQuery({ id: provider.id }, { refetchOnMountOrArgChange: true });
  return (
    <SidePanel open onClose={onClose} title={`Models of ${provider.name}`}>
      <header className="flex items-center gap-2 border-b border-line px-4 py-3">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-base font-semibold">Models of {harmless(provider.name)}</h2>
          <p className="text-xs text-ink-2">{data && !isFetching ? `Answered in ${formatLatency(data.latency_ms)}` : "Asking the provider…"}</p>
        </div>
        <Button icon="retry" disabled={isFetching} onClick={() => void refetch()}>
          Ask again
        </Button>
        <IconButton icon="cross" label="Close" onClick={onClose} />
      </header>
      {isError && !isFetching ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="flex flex-col gap-3 p-4" role="status" aria-label="Loading the models">
          {Array.from({ length: 8 }, (_, index) => (
            <Skeleton key={index} className="h-5 w-2/3" />
          ))}
        </div>
      ) : !data.supported || data.models.length === 0 ? (
        <Message icon="ring" title={data.supported ? "It offers no models yet" : "It does not list its models"}>
          <p>{data.supported ? "Load a model there (for Ollama: ollama pull), then ask again." : "Type the name of the model when you create a run."}</p>
        </Message>
      ) : (
        <ModelList models={data.models} className="flex-1 p-4" />
      )}
    </SidePanel>
  );
}
