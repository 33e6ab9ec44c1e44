import { useState } from "react";
import { useParams } from "react-router";
import { useGetSuiteQuery } from "@/api/suites";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useRead } from "@/lib/use-read";
import { useTitle } from "@/lib/use-title";
import { NotADraft, SuiteEditor } from "./SuiteEditor";

/** `/suites/new` and `/suites/:suiteId/edit`. */
export default function SuiteEditorPage() {
  const { suiteId } = useParams();
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {suiteId === undefined ? <NewSuite /> : <StoredSuite key={suiteId} id={suiteId} />}
    </div>
  );
}

function NewSuite() {
  useTitle("New suite");
  return <SuiteEditor stored={null} />;
}

function StoredSuite({ id }: { id: string }) {
  const query = useGetSuiteQuery({ id }, { refetchOnMountOrArgChange: true });
  const isRead = useRead(query);
  // The form is reset only when the user loads another version.
  const [reloads, setReloads] = useState(0);
  useTitle(query.data ? `Edit ${harmless(query.data.name)}` : "Suite");
  if (isRead && query.data?.status === "DRAFT") {
    return <SuiteEditor key={reloads} stored={query.data} onReload={() => void query.refetch().then(() => setReloads((times) => times + 1))} />;
  }
  return (
    <>
      <PageHead title={query.data ? harmless(query.data.name) : "Suite"} parent={{ to: "/suites", label: "All suites" }} />
      {isRead && query.data ? (
        <Message icon="ban" title={`Version ${query.data.version_number} is published`}><NotADraft suite={query.data} /></Message>
      ) : query.isError && [404, 422].includes(toProblem(query.error).status ?? 0) ? (
        <Message icon="ring" title="There is no such version of a suite">
          <p>It may have been deleted, or the link is incomplete. All suites are in the list.</p>
        </Message>
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </>
  );
}
