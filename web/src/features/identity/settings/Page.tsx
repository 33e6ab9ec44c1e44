/** Shared parts of the settings pages: the frame, which waits for the session, and the dialog that shows a secret once. */

import type { ReactNode } from "react";
import type { SessionOut } from "@/api/generated/identity";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { FormDialog } from "@/components/Dialog";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { may } from "@/api/session";
import type { Right } from "@/lib/rights";
import { useTitle } from "@/lib/use-title";
import { useSession } from "../use-session";

interface Props {
  title: string;
  /** The right that the page needs; without one it is for everybody who has signed in. */
  right?: Right;
  children: (session: SessionOut) => ReactNode;
}

export function SettingsPage({ title, right, children }: Props) {
  useTitle(title);
  const session = useSession();
  if (session !== null && (right === undefined ? session.signed_in : may(session, right))) return <Column>{children(session)}</Column>;
  return (
    <Column>
      <PageHead title={title} />
      <div className="card">
        {session === null ? (
          <Loading label={title} />
        ) : session.auth === "off" ? (
          <Message icon="ban" title="Nobody signs in here"><p>The platform runs with LLMBENCH_AUTH=off, so it has no members and keys.</p></Message>
        ) : (
          <Message icon="ban" title="Your role does not allow this"><p>Ask an admin of the organisation.</p></Message>
        )}
      </div>
    </Column>
  );
}

const Column = ({ children }: { children: ReactNode }) => <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">{children}</div>;

export function Loading({ label }: { label: string }) {
  return <div role="status" aria-label={`Loading: ${label}`} className="flex h-28 items-center px-4"><Skeleton className="h-4 w-1/3" /></div>;
}

/** Return the placeholder of a list that is not there yet. */
export function Awaited({ query, label }: { query: { error?: unknown; isError: boolean; refetch: () => unknown }; label: string }) {
  return query.isError ? <ErrorMessage error={query.error} onRetry={() => void query.refetch()} /> : <Loading label={label} />;
}

export function SecretOnce({ title, note, secret, onClose }: { title: string; note: string; secret: string; onClose: () => void }) {
  return (
    // Only the button closes it: a click outside would lose the secret.
    <FormDialog open onClose={() => undefined} title={title}>
      <p className="mt-2 text-ink-2">{note}</p>
      <p className="mt-3 rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-line wrap-anywhere">{secret}</p>
      <div className="mt-4 flex justify-end gap-2">
        <CopyButton label="Copy it" text={() => secret} />
        <Button kind="primary" onClick={onClose}>I have kept it</Button>
      </div>
    </FormDialog>
  );
}

/** Page by cursor: the cursors of the pages before are kept for the way back. */
export function CursorPager({ cursors, next, onChange }: { cursors: readonly string[]; next: string | null; onChange: (cursors: string[]) => void }) {
  if (cursors.length === 0 && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-end gap-2 border-t border-line px-4 py-2.5">
      <Button icon="previous" disabled={cursors.length === 0} onClick={() => onChange(cursors.slice(0, -1))}>Previous</Button>
      <span className="text-xs text-ink-2">Page {cursors.length + 1}</span>
      <Button icon="next" disabled={next === null} onClick={() => next !== null && onChange([...cursors, next])}>Next</Button>
    </nav>
  );
}

export const ROW = "flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-hover";
