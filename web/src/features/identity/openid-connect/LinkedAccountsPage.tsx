import { use, useState } from "react";
import { useSearchParams } from "react-router";
import { useBeginLinkMutation, useDeleteLoginMutation, useListIssuersQuery, useListLoginsQuery } from "@/api/identity";
import type { LoginOut } from "@/api/generated/identity";
import { Button, IconButton } from "@/components/Button";
import { DeleteDialog } from "@/components/DeleteDialog";
import { Message } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { Leave } from "../leave";
import { Awaited, ROW, SettingsPage } from "../settings/Page";
import { Refusal } from "./Refusal";

const PATH = "/settings/linked-accounts";

export default function LinkedAccountsPage() {
  // Every role may read the organisation: the page is for all who have signed in.
  return <SettingsPage title="Linked accounts" right="organisation:read">{() => <LinkedAccounts />}</SettingsPage>;
}

function LinkedAccounts() {
  const leave = use(Leave);
  const [search] = useSearchParams();
  const [leaving, setLeaving] = useState<LoginOut | null>(null);
  const query = useListLoginsQuery(undefined, { refetchOnMountOrArgChange: true });
  const issuers = useListIssuersQuery().data?.items ?? [];
  const [link, linking] = useBeginLinkMutation();
  const [remove, removing] = useDeleteLoginMutation();
  const go = async (name: string) => {
    const answer = await link({ name, begin: { next: PATH } });
    if (answer.data) leave(answer.data.location);
  };
  const confirm = async (login: LoginOut) => {
    const answer = await remove({ id: login.id });
    if (answer.error) return;
    toast("The link is removed.");
    setLeaving(null);
  };
  return (
    <>
      <PageHead
        title="Linked accounts"
        actions={issuers.map((one) => (
          <Button key={one.name} icon="link" disabled={linking.isLoading} onClick={() => void go(one.name)}>Link {harmless(one.title)}</Button>
        ))}
      />
      <p className="max-w-3xl text-ink-2">With a linked account you sign in here without a password. An account is never linked by its e-mail address alone.</p>
      <Refusal search={search} />
      {linking.error !== undefined && <ProblemNote error={linking.error} />}
      <div className="card">
        {!query.data ? <Awaited query={query} label="linked accounts" /> : query.data.items.length === 0 ? (
          <Message icon="link" title="No linked accounts">
            <p>{issuers.length > 0 ? "Link one with the button above." : "The operator of this platform has set up no sign-in service (OpenID Connect)."}</p>
          </Message>
        ) : (
          <ul aria-label="Linked accounts" className="divide-y divide-line">
            {query.data.items.map((one) => (
              <li key={one.id} className={ROW}>
                <div className="min-w-0 flex-1 basis-64">
                  <p className="font-medium wrap-anywhere">{harmless(one.issuer)}</p>
                  <p className="text-xs text-ink-2">linked {formatDate(one.created_at)} · last used {formatDate(one.last_used_at)}</p>
                </div>
                <IconButton icon="trash" label={`Remove ${harmless(one.issuer)}`} onClick={() => { removing.reset(); setLeaving(one); }} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {leaving && (
        <DeleteDialog title="Remove this link?" name={leaving.issuer} busy={removing.isLoading} error={removing.error} onClose={() => setLeaving(null)} onConfirm={() => void confirm(leaving)}>
          no longer signs you in here. Sessions that began with it end, except this one.
        </DeleteDialog>
      )}
    </>
  );
}
