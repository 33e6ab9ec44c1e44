import { useState } from "react";
import { useCreateServiceAccountMutation, useDeleteServiceAccountMutation, useListServiceAccountsQuery } from "@/api/identity";
import type { ServiceAccountIn, ServiceAccountOut, SessionOut } from "@/api/generated/identity";
import { Button, IconButton } from "@/components/Button";
import { DeleteDialog } from "@/components/DeleteDialog";
import { FormDialog } from "@/components/Dialog";
import { SelectField, TextField } from "@/components/Field";
import { Message } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { Awaited, CursorPager, ROW, SettingsPage } from "./Page";
import { grantable } from "./roles";

export default function ServiceAccountsPage() {
  return <SettingsPage title="Service accounts" right="service-accounts:read">{(session) => <Accounts session={session} />}</SettingsPage>;
}

function Accounts({ session }: { session: SessionOut }) {
  const [cursors, setCursors] = useState<string[]>([]);
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<ServiceAccountOut | null>(null);
  const query = useListServiceAccountsQuery({ cursor: cursors.at(-1) ?? null }, { refetchOnMountOrArgChange: true });
  const [remove, removing] = useDeleteServiceAccountMutation();
  const confirm = async (account: ServiceAccountOut) => {
    const answer = await remove({ id: account.id });
    if (answer.error) return;
    toast(`${account.name} is deleted.`);
    setLeaving(null);
  };
  return (
    <>
      <PageHead title="Service accounts" actions={<Button kind="primary" icon="plus" right="service-accounts:create" onClick={() => setMaking(true)}>New service account</Button>} />
      <p className="max-w-3xl text-ink-2">Accounts of programs. Nobody signs in with one: make an API key that acts for it. Its keys keep working when the person who made them leaves.</p>
      <div className="card">
        {!query.data ? <Awaited query={query} label="service accounts" /> : query.data.items.length === 0 ? (
          <Message icon="link" title="No service accounts yet"><p>Make one for a pipeline or another program that several people look after.</p></Message>
        ) : (
          <ul aria-label="Service accounts" className="divide-y divide-line">
            {query.data.items.map((one) => (
              <li key={one.id} className={ROW}>
                <p className="min-w-0 flex-1 basis-64 font-medium wrap-anywhere">{harmless(one.name)}</p>
                <span className="text-ink-2">{one.role} · since {formatDate(one.created_at)}</span>
                <IconButton icon="trash" right="service-accounts:delete" label={`Delete ${harmless(one.name)}`} onClick={() => { removing.reset(); setLeaving(one); }} />
              </li>
            ))}
          </ul>
        )}
        <CursorPager cursors={cursors} next={query.data?.next_cursor ?? null} onChange={setCursors} />
      </div>
      {isMaking && <AccountDialog session={session} onClose={() => setMaking(false)} />}
      {leaving && (
        <DeleteDialog title="Delete this service account?" name={leaving.name} busy={removing.isLoading} error={removing.error} onClose={() => setLeaving(null)} onConfirm={() => void confirm(leaving)}>
          and its API keys stop working at once. What it has made stays.
        </DeleteDialog>
      )}
    </>
  );
}

type ServiceRole = ServiceAccountIn["role"];

function AccountDialog({ session, onClose }: { session: SessionOut; onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<ServiceRole>("member");
  const [isTried, setTried] = useState(false);
  const [create, creating] = useCreateServiceAccountMutation();
  const body = { name: name.trim(), role };
  const errors = creating.error ? stillTrue(toProblem(creating.error).fields, creating.originalArgs?.serviceAccountIn, body) : {};
  const roles = grantable(session.role).flatMap(({ value, label }) => (value === "owner" ? [] : [{ value, label }]));
  const submit = async () => {
    setTried(true);
    if (body.name === "" || creating.isLoading) return;
    const answer = await create({ serviceAccountIn: body });
    if (answer.data) onClose();
  };
  return (
    <FormDialog open onClose={onClose} title="New service account">
      <form
        noValidate
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField label="Name" required maxLength={255} hint="The program that will use it." value={name} error={isTried && body.name === "" ? "Enter a name." : errorAt(errors, "name")} onChange={setName} data-autofocus />
        <SelectField label="Role" value={role} options={roles} error={errorAt(errors, "role")} onChange={setRole} />
        {creating.error !== undefined && <ProblemNote error={creating.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={creating.isLoading}>Make the account</Button>
        </div>
      </form>
    </FormDialog>
  );
}
