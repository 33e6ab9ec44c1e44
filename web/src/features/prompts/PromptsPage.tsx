import { useMemo } from "react";
import { Link } from "react-router";
import type { PromptOut } from "@/api/generated/config-api";
import { usePromptPagesInfiniteQuery } from "@/api/prompts";
import { Button, ButtonLink } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { clickRowLink } from "@/components/row-link";
import { SearchField } from "@/components/SearchField";
import { plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { useUrlParam } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";

/** `/prompts`: each prompt with its newest version. */
export default function PromptsPage() {
  useTitle("Prompts");
  const [q, setQ] = useUrlParam("q");
  const query = usePromptPagesInfiniteQuery({ q }, { refetchOnMountOrArgChange: true });
  const prompts = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const isEmpty = query.data !== undefined && prompts.length === 0 && q === null;
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Prompts"
        note={prompts.length > 0 && `${plural(prompts.length, "prompt")}${query.hasNextPage ? " so far" : ""}`}
        actions={<ButtonLink kind="primary" icon="plus" right="prompts:create" to="/prompts/new">New prompt</ButtonLink>}
      />
      {!isEmpty && <SearchField label="Search by name" value={q ?? ""} onSearch={(text) => setQ(text === "" ? null : text)} className="sm:max-w-72" />}
      {query.data && query.isError && <ProblemNote error={query.error} />}
      <div className="card overflow-hidden">
        {query.data ? (
          prompts.length > 0 ? (
            <Table prompts={prompts} />
          ) : isEmpty ? (
            <NoPrompts />
          ) : (
            <Message icon="search" title={`No prompt’s name contains “${q}”`}>
              <Button className="mt-3" onClick={() => setQ(null)}>Show all prompts</Button>
            </Message>
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading prompts" className="p-4">
            <Skeleton className="h-4 w-1/3" />
          </div>
        )}
      </div>
      {query.hasNextPage && (
        <Button className="self-center" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? "Loading…" : "Load more"}
        </Button>
      )}
    </div>
  );
}

function Table({ prompts }: { prompts: readonly PromptOut[] }) {
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Prompt</th>
          <th scope="col" className={`${HEAD} w-20 text-right`}>Version</th>
          <th scope="col" className={`${HEAD} hidden w-64 md:table-cell`}>Variables</th>
          <th scope="col" className={`${HEAD} hidden w-40 sm:table-cell`}>Changed</th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {prompts.map((one) => (
          <tr key={one.id} className="cursor-pointer hover:bg-hover">
            <td className={CELL}>
              <Link to={`/prompts/${one.id}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(one.name)}</Link>
              {one.description && <div className="mt-0.5 line-clamp-2 text-xs wrap-anywhere text-ink-2">{harmless(excerpt(one.description, 300, 3).text)}</div>}
            </td>
            <td className={`${CELL} text-right`}>{one.newest.number}</td>
            <td className={`${CELL} hidden md:table-cell`}><span className="line-clamp-2 font-mono text-xs leading-5 wrap-anywhere text-ink-2">{one.newest.variables.map(({ name }) => name).join(", ")}</span></td>
            <td className={`${CELL} hidden text-ink-2 sm:table-cell`}><Moment at={one.updated_at} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NoPrompts() {
  return (
    <Message icon="pencil" title="No prompts yet">
      <p>A prompt is a template that makes the messages of each case. Its versions never change, so runs and experiments can compare them.</p>
      <div className="mt-4 flex justify-center"><ButtonLink right="prompts:create" icon="plus" kind="primary" to="/prompts/new">Write a prompt</ButtonLink></div>
    </Message>
  );
}
