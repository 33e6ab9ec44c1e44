import { skipToken } from "@reduxjs/toolkit/query/react";
import type { ReactNode } from "react";
import { useInvitedClient, useReadAnnotationInvitationQuery } from "@/api/annotation";
import type { InvitedTo } from "@/api/generated/config-api";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTheme } from "@/lib/theme";
import { useLinkToken } from "@/lib/use-link-token";
import { useTitle } from "@/lib/use-title";
import { LabelScreen } from "../work/LabelScreen";

/** `/annotate#token`: a person from outside labels one task, and sees nothing else. */
export default function InvitedPage() {
  // No button of the header stands here, so the page follows the system's theme.
  useTheme();
  const token = useLinkToken("llmbench.invitation");
  const query = useReadAnnotationInvitationQuery(token === "" ? skipToken : { "Llmbench-Invitation": token });
  useTitle(query.data?.name ?? "Label");
  return (
    <main id="main" className="min-h-dvh">
      {token === "" ? (
        <Notice title="The link is incomplete"><p>Open the whole link that you got, with everything after the sign #.</p></Notice>
      ) : query.data ? (
        <Invited key={token} token={token} to={query.data} />
      ) : !query.isError ? (
        <div className="mx-auto max-w-screen-xl px-4 py-6"><h1 className="sr-only">Label</h1><Skeleton className="h-96" /></div>
      ) : toProblem(query.error).status === 410 ? (
        <Notice title={toProblem(query.error).title}><p>{toProblem(query.error).detail}</p></Notice>
      ) : (
        <div className="card mx-auto mt-16 max-w-xl"><h1 className="sr-only">Label</h1><ErrorMessage error={query.error} onRetry={() => void query.refetch()} /></div>
      )}
    </main>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="card mx-auto mt-16 max-w-xl">
      <h1 className="sr-only">{title}</h1>
      <Message icon="link" title={title}>{children}</Message>
    </div>
  );
}

function Invited({ token, to }: { token: string; to: InvitedTo }) {
  return (
    <LabelScreen
      client={useInvitedClient(token)}
      head={
        <header className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{harmless(to.name)}</h1>
          <p className="text-xs text-ink-2">You label as {harmless(to.annotator)}. The link works until {formatDate(to.expires_at)}.</p>
        </header>
      }
    />
  );
}
