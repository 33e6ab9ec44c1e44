import { useState } from "react";
import { useChangeMemberMutation, useDeleteInvitationMutation, useListInvitationsQuery, useListMembersQuery, useRemoveMemberMutation } from "@/api/identity";
import type { MemberOut, SessionOut } from "@/api/generated/identity";
import { may } from "@/api/session";
import { Button, IconButton } from "@/components/Button";
import { DeleteDialog } from "@/components/DeleteDialog";
import { SelectField } from "@/components/Field";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { InviteDialog } from "./InviteDialog";
import { Awaited, CursorPager, ROW, SettingsPage } from "./Page";
import { RequireSecondFactor } from "./RequireSecondFactor";
import { ResetDialog } from "./ResetDialog";
import { grantable } from "./roles";

export default function MembersPage() {
  return <SettingsPage title="Members" right="members:read">{(session) => <Members session={session} />}</SettingsPage>;
}

function Members({ session }: { session: SessionOut }) {
  const [cursors, setCursors] = useState<string[]>([]);
  const [leaving, setLeaving] = useState<MemberOut | null>(null);
  const [isInviting, setInviting] = useState(false);
  const [resetting, setResetting] = useState<MemberOut | null>(null);
  const query = useListMembersQuery({ cursor: cursors.at(-1) ?? null }, { refetchOnMountOrArgChange: true });
  const [remove, removing] = useRemoveMemberMutation();
  const confirm = async (member: MemberOut) => {
    const answer = await remove({ id: member.id });
    if (answer.error) return;
    toast(`${member.name} is removed.`);
    setLeaving(null);
  };
  return (
    <>
      <PageHead title="Members" actions={may(session, "invitations:create") && <Button kind="primary" icon="plus" onClick={() => setInviting(true)}>Invite somebody</Button>} />
      <div className="card">
        {query.data ? (
          <ul aria-label="Members" className="divide-y divide-line">
            {query.data.items.map((one) => (
              <Member key={one.id} member={one} session={session} onReset={() => setResetting(one)} onRemove={() => { removing.reset(); setLeaving(one); }} />
            ))}
          </ul>
        ) : <Awaited query={query} label="members" />}
        <CursorPager cursors={cursors} next={query.data?.next_cursor ?? null} onChange={setCursors} />
      </div>
      {may(session, "invitations:read") && <Invitations session={session} />}
      {may(session, "organisation:update") && <RequireSecondFactor />}
      {resetting && <ResetDialog member={resetting} onClose={() => setResetting(null)} />}
      {isInviting && <InviteDialog session={session} onClose={() => setInviting(false)} />}
      {leaving && (
        <DeleteDialog title="Remove this member?" name={leaving.name} busy={removing.isLoading} error={removing.error} onClose={() => setLeaving(null)} onConfirm={() => void confirm(leaving)}>
          loses access to this organisation at once, and so do the API keys of this person. Runs and tasks stay.
        </DeleteDialog>
      )}
    </>
  );
}

function Member({ member, session, onReset, onRemove }: { member: MemberOut; session: SessionOut; onReset: () => void; onRemove: () => void }) {
  const [change, changing] = useChangeMemberMutation();
  const roles = grantable(session.role);
  // Only owners change an owner.
  const isMine = roles.some((one) => one.value === member.role);
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">{harmless(member.name)}{member.id === session.person?.id && <span className="text-ink-3"> (you)</span>}</p>
        <p className="text-xs text-ink-2 wrap-anywhere">{member.email} · since {formatDate(member.created_at)}</p>
      </div>
      {may(session, "members:update") && isMine ? (
        <SelectField label={<>Role<span className="sr-only"> of {harmless(member.name)}</span></>} className="w-32" value={member.role} options={roles} disabled={changing.isLoading} onChange={(role) => void change({ id: member.id, memberIn: { role } })} />
      ) : <span className="text-ink-2">{member.role}</span>}
      {may(session, "members:create") && isMine && member.id !== session.person?.id && session.sign_in !== "proxy" && <IconButton icon="retry" label={`Reset the password of ${harmless(member.name)}`} onClick={onReset} />}
      {may(session, "members:delete") && isMine && <IconButton icon="trash" label={`Remove ${harmless(member.name)}`} onClick={onRemove} />}
      {changing.error !== undefined && <div className="basis-full"><ProblemNote error={changing.error} /></div>}
    </li>
  );
}

function Invitations({ session }: { session: SessionOut }) {
  const query = useListInvitationsQuery({ limit: 500 }, { refetchOnMountOrArgChange: true });
  const [withdraw, withdrawing] = useDeleteInvitationMutation();
  return (
    <Section title="Open invitations">
      {withdrawing.error !== undefined && <ProblemNote error={withdrawing.error} />}
      {!query.data ? <Awaited query={query} label="invitations" /> : query.data.items.length === 0 ? <p className="px-4 py-3 text-ink-2">None.</p> : (
        <ul aria-label="Open invitations" className="divide-y divide-line">
          {query.data.items.map((one) => (
            <li key={one.id} className={ROW}>
              <p className="min-w-0 flex-1 wrap-anywhere">{one.email ?? "For anybody with the link"}</p>
              <span className="text-ink-2">{one.role} · until {formatDate(one.expires_at)}</span>
              {may(session, "invitations:delete") && <Button icon="trash" disabled={withdrawing.isLoading} onClick={() => void withdraw({ id: one.id })}>Withdraw</Button>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
