import { useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { useCollectionPagesInfiniteQuery } from "@/api/collections";
import type { CollectionOut } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { SearchField } from "@/components/SearchField";
import { plural } from "@/lib/format";
import { useUrlParam } from "@/lib/url-state";
import { useShortcuts } from "@/lib/shortcuts";
import { useTitle } from "@/lib/use-title";
import { CollectionDialog } from "./CollectionDialog";
import { CollectionsTable } from "./CollectionsTable";
import { DeleteCollection } from "./DeleteCollection";

type Asked = { what: "create" } | { what: "edit" | "delete"; collection: CollectionOut };

export default function CollectionsPage() {
  useTitle("Collections");
  const navigate = useNavigate();
  const [q, setQ] = useUrlParam("q");
  const [asked, setAsked] = useState<Asked | null>(null);
  useShortcuts("On this screen", [{ keys: ["n"], label: "New collection", right: "collections:create", run: () => setAsked({ what: "create" }) }]);
  const query = useCollectionPagesInfiniteQuery({ q }, { refetchOnMountOrArgChange: true });
  const collections = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const isEmpty = query.data !== undefined && collections.length === 0 && q === null;
  const close = () => setAsked(null);

  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Collections"
        note={query.data && collections.length > 0 && `${plural(collections.length, "collection")}${query.hasNextPage ? " so far" : ""}`}
        actions={<Button right="collections:create" icon="plus" kind="primary" onClick={() => setAsked({ what: "create" })}>New collection</Button>}
      />
      {!isEmpty && <SearchField label="Search by name" value={q ?? ""} onSearch={(text) => setQ(text === "" ? null : text)} className="sm:max-w-72" />}
      {query.data && query.isError && <ProblemNote error={query.error} />}
      <div className="card overflow-hidden">
        {query.data ? (
          collections.length > 0 ? (
            <CollectionsTable
              collections={collections}
              onEdit={(collection) => setAsked({ what: "edit", collection })}
              onDelete={(collection) => setAsked({ what: "delete", collection })}
            />
          ) : isEmpty ? (
            <NoCollections onCreate={() => setAsked({ what: "create" })} />
          ) : (
            <Message icon="search" title={`No collection’s name contains “${q}”`}>
              <Button className="mt-3" onClick={() => setQ(null)}>Show all collections</Button>
            </Message>
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading collections" className="divide-y divide-line">
            {Array.from({ length: 5 }, (_, index) => (
              <div key={index} className="flex h-14 items-center px-4">
                <Skeleton className="h-4 w-1/3" />
              </div>
            ))}
          </div>
        )}
      </div>
      {query.hasNextPage && (
        <Button className="self-center" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? "Loading…" : "Load more"}
        </Button>
      )}
      {asked?.what === "create" && <CollectionDialog collection={null} onClose={close} onSaved={(made) => void navigate(`/collections/${made.id}`)} />}
      {asked?.what === "edit" && <CollectionDialog collection={asked.collection} onClose={close} />}
      {asked?.what === "delete" && <DeleteCollection collection={asked.collection} onClose={close} />}
    </div>
  );
}

function NoCollections({ onCreate }: { onCreate: () => void }) {
  return (
    <Message icon="copy" title="No collections yet">
      <p>A run uses the tasks of one or more collections. Create one and add tasks to it, or import a file of tasks into a new one.</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <Button right="collections:create" icon="plus" kind="primary" onClick={onCreate}>Create a collection</Button>
        <ButtonLink right="tasks:create" to="/import" icon="up">Import a file</ButtonLink>
      </div>
    </Message>
  );
}
