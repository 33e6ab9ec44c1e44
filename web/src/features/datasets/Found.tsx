import type { ReactNode } from "react";
import { Link } from "react-router";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { toProblem } from "@/lib/problem";

interface Props<T> {
  /** The name of the loaded thing, such as `dataset`. */
  what: string;
  query: { currentData?: T | undefined; error?: unknown; isError: boolean; refetch: () => unknown };
  children: (data: T) => ReactNode;
}

/** Render a loaded thing, or the state of loading it: missing, failed or in progress. */
export function Found<T>({ what, query, children }: Props<T>) {
  if (query.currentData !== undefined) return children(query.currentData);
  return (
    <>
      <h1 className="sr-only">The {what}</h1>
      {!query.isError ? (
        <div role="status" aria-label={`Loading the ${what}`}><Skeleton className="h-96" /></div>
      ) : [404, 422].includes(toProblem(query.error).status ?? 0) ? (
        <Message icon="ring" title={`There is no such ${what}`}>
          <p>
            It may have been deleted, or the link is incomplete. <Link to="/datasets" className="font-medium text-accent underline underline-offset-2">All datasets</Link> are in the list.
          </p>
        </Message>
      ) : (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      )}
    </>
  );
}
