import { skipToken } from "@reduxjs/toolkit/query/react";
import type { ReactNode } from "react";
import type { SharedReport } from "@/api/generated/orchestrator";
import { SHARED_REPORT, useReadSharedReportQuery } from "@/api/report-links";
import { Button } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTheme } from "@/lib/theme";
import { useLinkToken } from "@/lib/use-link-token";
import { useTitle } from "@/lib/use-title";

/** `/shared-report#token`: a person who has not signed in opens the report of one run, and sees nothing else. */
export default function SharedReportPage() {
  // No button of the header stands here, so the page follows the system's theme.
  useTheme();
  const token = useLinkToken("llmbench.report-link");
  const query = useReadSharedReportQuery(token === "" ? skipToken : { "Llmbench-Report-Link": token }, { refetchOnMountOrArgChange: true });
  const problem = toProblem(query.error);
  const title = query.currentData ? harmless(query.currentData.name) : "Report";
  useTitle(title);
  return (
    <main id="main" className="min-h-dvh px-4 py-16">
      <div className="card mx-auto max-w-xl">
        <h1 className="sr-only">{title}</h1>
        {token === "" ? (
          <Message icon="link" title="The link is incomplete"><p>Open the whole link that you got, with everything after the sign #.</p></Message>
        ) : query.currentData ? (
          <Opening token={token} report={query.currentData} />
        ) : !query.isError ? (
          <div role="status" aria-label="Loading the report" className="p-6"><Skeleton className="h-24" /></div>
        ) : problem.status === 410 ? (
          <Message icon="link" title={problem.title}><p>{problem.detail}</p></Message>
        ) : (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        )}
      </div>
    </main>
  );
}

/** A form opens the report as a page of its own: its token is in no address, and the report keeps its own policy. */
function Opening({ token, report }: { token: string; report: SharedReport }): ReactNode {
  return (
    <form method="post" action={SHARED_REPORT}>
      {/* Without it a browser hides the origin of the form, and the service refuses forms of an unknown origin. */}
      <meta name="referrer" content="same-origin" />
      <input type="hidden" name="token" value={token} />
      <Message icon="link" title={harmless(report.name)}>
        <p>This link shows the report of a run: how language models answered, and how their answers were judged. It works until {formatDate(report.expires_at)}.</p>
        <Button type="submit" kind="primary" className="mt-4">Open the report</Button>
      </Message>
    </form>
  );
}
