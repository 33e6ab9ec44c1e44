import { useState } from "react";
import { useDeleteApiKeyMutation, useListApiKeysQuery } from "@/api/identity";
import type { ApiKeyOut, SessionOut } from "@/api/generated/identity";
import { may } from "@/api/session";
import { Button, IconButton } from "@/components/Button";
import { DeleteDialog } from "@/components/DeleteDialog";
import { Message } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { toast } from "@/components/Toast";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { ApiKeyDialog } from "./ApiKeyDialog";
import { Awaited, CursorPager, ROW, SettingsPage } from "./Page";

export default function ApiKeysPage() {
  return <SettingsPage title="API keys" right="api-keys:read">{(session) => <Keys session={session} />}</SettingsPage>;
}

function Keys({ session }: { session: SessionOut }) {
  const [cursors, setCursors] = useState<string[]>([]);
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<ApiKeyOut | null>(null);
  const query = useListApiKeysQuery({ cursor: cursors.at(-1) ?? null }, { refetchOnMountOrArgChange: true });
  const [revoke, revoking] = useDeleteApiKeyMutation();
  const confirm = async (key: ApiKeyOut) => {
    const answer = await revoke({ id: key.id });
    if (answer.error) return;
    toast(`${key.name} is revoked.`);
    setLeaving(null);
  };
  return (
    <>
      <PageHead title="API keys" actions={may(session, "api-keys:create") && <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>New API key</Button>} />
      <p className="max-w-3xl text-ink-2">Programs send a key as <code>Authorization: Bearer llmb_…</code>. It acts for the person who made it, with their present role.</p>
      <div className="card">
        {!query.data ? <Awaited query={query} label="API keys" /> : query.data.items.length === 0 ? (
          <Message icon="link" title="No API keys yet"><p>Make one for the command line or for a program.</p></Message>
        ) : (
          <ul aria-label="API keys" className="divide-y divide-line">
            {query.data.items.map((one) => (
              <li key={one.id} className={ROW}>
                <div className="min-w-0 flex-1 basis-64">
                  <p className="font-medium wrap-anywhere">{harmless(one.name)}</p>
                  <p className="text-xs text-ink-2 wrap-anywhere">
                    {harmless(one.person_name)} · made {formatDate(one.created_at)} · {one.last_used_at ? `last used ${formatDate(one.last_used_at)}` : "never used"} · {one.expires_at ? `expires ${formatDate(one.expires_at)}` : "does not expire"}
                  </p>
                  <p className="text-xs text-ink-3 wrap-anywhere">{one.scopes ? one.scopes.join(", ") : "all that the role allows"}</p>
                </div>
                {may(session, "api-keys:delete") && <IconButton icon="trash" label={`Revoke ${harmless(one.name)}`} onClick={() => { revoking.reset(); setLeaving(one); }} />}
              </li>
            ))}
          </ul>
        )}
        <CursorPager cursors={cursors} next={query.data?.next_cursor ?? null} onChange={setCursors} />
      </div>
      {isMaking && <ApiKeyDialog session={session} onClose={() => setMaking(false)} />}
      {leaving && (
        <DeleteDialog title="Revoke this key?" name={leaving.name} busy={revoking.isLoading} error={revoking.error} onClose={() => setLeaving(null)} onConfirm={() => void confirm(leaving)}>
          stops working at once. Programs that use it need another one.
        </DeleteDialog>
      )}
    </>
  );
}
