import { useState } from "react";
import { useNavigate } from "react-router";
import { MOST_PER_PAGE } from "@/api/tasks";
import { useListProvidersQuery, useListProviderTypesQuery } from "@/api/providers";
import type { ProviderOut } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { SearchField } from "@/components/SearchField";
import { plural } from "@/lib/format";
import { useUrlParam } from "@/lib/url-state";
import { useShortcuts } from "@/lib/shortcuts";
import { useTitle } from "@/lib/use-title";
import { ModelsPanel } from "../ModelsPanel";
import { DeleteProvider } from "./DeleteProvider";
import { ProviderCard } from "./ProviderCard";

export default function ProvidersPage() {
  useTitle("Providers");
  const navigate = useNavigate();
  useShortcuts("On this screen", [{ keys: ["n"], label: "New provider", right: "providers:create", run: () => void navigate("/providers/new") }]);
  const [q, setQ] = useUrlParam("q");
  const [modelsOf, setModelsOf] = useUrlParam("models");
  const [deleting, setDeleting] = useState<ProviderOut | null>(null);
  const { data, error, isError, isFetching, refetch } = useListProvidersQuery({ q, limit: MOST_PER_PAGE }, { refetchOnMountOrArgChange: true });
  const types = useListProviderTypesQuery();
  const titleOf = (provider: ProviderOut) => types.data?.items.find((one) => one.type === provider.type)?.title ?? provider.type;
  const providers = data?.items ?? [];
  const shown = providers.find((one) => one.id === modelsOf);
  const isEmpty = data !== undefined && providers.length === 0 && q === null;

  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Providers"
        note={data && providers.length > 0 && `${plural(providers.length, "provider")}${data.next_cursor ? ", and more: search for them" : ""}`}
        actions={<ButtonLink right="providers:create" to="/providers/new" icon="plus" kind="primary">New provider</ButtonLink>}
      />
      {!isEmpty && <SearchField label="Search by name" value={q ?? ""} onSearch={(text) => setQ(text === "" ? null : text)} className="sm:max-w-72" />}
      {data && isError && <ProblemNote error={error} />}
      {data ? (
        providers.length > 0 ? (
          <ul className={`grid gap-4 sm:grid-cols-2 xl:grid-cols-3 ${isFetching ? "opacity-70" : ""}`} aria-label="Providers">
            {providers.map((one) => (
              <ProviderCard key={one.id} provider={one} typeTitle={titleOf(one)} onModels={() => setModelsOf(one.id)} onDelete={() => setDeleting(one)} />
            ))}
          </ul>
        ) : (
          <div className="card">{isEmpty ? <NoProviders /> : <NoMatch q={q ?? ""} onClear={() => setQ(null)} />}</div>
        )
      ) : isError ? (
        <div className="card">
          <ErrorMessage error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <div role="status" aria-label="Loading providers" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {Array.from({ length: 3 }, (_, index) => (
            <Skeleton key={index} className="h-48" />
          ))}
        </div>
      )}
      {shown && <ModelsPanel provider={shown} onClose={() => setModelsOf(null)} />}
      {deleting && <DeleteProvider key={deleting.id} provider={deleting} onClose={() => setDeleting(null)} />}
    </div>
  );
}

function NoProviders() {
  return (
    <Message icon="link" title="No providers yet">
      <p>A provider is where models answer: Ollama or LM Studio on this machine, or a service such as OpenAI or OpenRouter.</p>
      <p className="mt-4">
        <ButtonLink right="providers:create" to="/providers/new" icon="plus" kind="primary">Add the first one</ButtonLink>
      </p>
    </Message>
  );
}

function NoMatch({ q, onClear }: { q: string; onClear: () => void }) {
  return (
    <Message icon="search" title={`No provider’s name contains “${q}”`}>
      <Button className="mt-3" onClick={onClear}>
        Show all providers
      </Button>
    </Message>
  );
}
