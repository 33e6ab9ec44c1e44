import { useState } from "react";
import { useParams } from "react-router";
import { useGetProviderQuery, useListProviderTypesQuery } from "@/api/providers";
import type { ProviderTypeOut } from "@/api/generated/config-api";
import { Allowed } from "@/components/Allowed";
import { CreatedBy } from "@/components/CreatedBy";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useRead } from "@/lib/use-read";
import { useTitle } from "@/lib/use-title";
import { ProviderForm } from "./ProviderForm";

type Types = readonly [ProviderTypeOut, ...ProviderTypeOut[]];

/** `/providers/new` and `/providers/:providerId`. */
export default function ProviderFormPage() {
  const { providerId } = useParams();
  const { data, error, isError, refetch } = useListProviderTypesQuery();
  const [first, ...others] = data?.items ?? [];
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      {isError ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : !first ? (
        <Skeleton className="h-96" />
      ) : providerId === undefined ? (
        <NewProvider types={[first, ...others]} />
      ) : (
        <StoredProvider key={providerId} id={providerId} types={[first, ...others]} />
      )}
    </div>
  );
}

const PARENT = { to: "/providers", label: "All providers" };

function NewProvider({ types }: { types: Types }) {
  useTitle("New provider");
  return (
    <>
      <PageHead title="New provider" parent={PARENT} />
      <ProviderForm provider={null} types={types} />
    </>
  );
}

function StoredProvider({ id, types }: { id: string; types: Types }) {
  const query = useGetProviderQuery({ id }, { refetchOnMountOrArgChange: true });
  const isRead = useRead(query);
  // The form is reset only when the user loads another version.
  const [reloads, setReloads] = useState(0);
  const title = query.data ? harmless(query.data.name) : "Provider";
  useTitle(title);
  return (
    <>
      <PageHead title={title} parent={PARENT} note={<CreatedBy id={query.data?.created_by} />} />
      {isRead && query.data ? (
        <Allowed readOnly right="providers:update">
          <ProviderForm key={reloads} provider={query.data} types={types} onReload={() => void query.refetch().then(() => setReloads((times) => times + 1))} />
        </Allowed>
      ) : query.isError && [404, 422].includes(toProblem(query.error).status ?? 0) ? (
        <Message icon="ring" title="There is no such provider">
          <p>It may have been deleted, or the link is incomplete. All providers are in the list.</p>
        </Message>
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </>
  );
}
