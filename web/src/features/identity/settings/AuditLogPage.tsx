import { useState } from "react";
import { useSearchParams } from "react-router";
import { serializeParams } from "@/api/base-api";
import { useListAuditEntriesQuery, useListMembersQuery } from "@/api/identity";
import type { EntryOut, SessionOut } from "@/api/generated/identity";
import { may } from "@/api/session";
import { buttonLook } from "@/components/Button";
import { SelectField, TextField } from "@/components/Field";
import { Icon } from "@/components/Icon";
import { Message } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { localDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { Awaited, CursorPager, SettingsPage } from "./Page";

const KINDS = ["session", "member", "invitation", "api-key", "organisation", "password"].map((value) => ({ value, label: value }));
const times = localDate({ dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });

export default function AuditLogPage() {
  return <SettingsPage title="Audit log" right="audit-log:read">{(session) => <AuditLog session={session} />}</SettingsPage>;
}

function AuditLog({ session }: { session: SessionOut }) {
  const [search, setSearch] = useSearchParams();
  const [cursors, setCursors] = useState<string[]>([]);
  const text = (name: string) => search.get(name) ?? "";
  const set = (name: string, value: string) => {
    setCursors([]);
    setSearch((now) => writeOne(now, name, value === "" ? null : value), { replace: true });
  };
  const since = new Date(`${text("since")}T00:00:00`);
  const filter = { personId: text("person") || null, resource: text("resource") || null, since: Number.isNaN(since.getTime()) ? null : since.toISOString() };
  const members = useListMembersQuery({ limit: 500 }, { skip: !may(session, "members:read") });
  const query = useListAuditEntriesQuery({ ...filter, cursor: cursors.at(-1) ?? null }, { refetchOnMountOrArgChange: true });
  const csv = serializeParams({ person_id: filter.personId, resource: filter.resource, since: filter.since });
  return (
    <>
      <PageHead title="Audit log" actions={<a href={`/api/audit-log/export?${csv}`} download className={buttonLook("plain")}><Icon name="download" />CSV</a>} />
      <div className="flex flex-wrap gap-3">
        <SelectField label="Person" className="w-40" value={text("person")} options={[{ value: "", label: "Everybody" }, ...(members.data?.items ?? []).map((one) => ({ value: one.id, label: harmless(one.name) }))]} onChange={(value) => set("person", value)} />
        <SelectField label="What" className="w-40" value={text("resource")} options={[{ value: "", label: "Everything" }, ...KINDS]} onChange={(value) => set("resource", value)} />
        <TextField label="From" type="date" className="w-40" value={text("since")} onChange={(value) => set("since", value)} />
      </div>
      <div className={`card ${query.isFetching && query.data ? "opacity-70" : ""}`}>
        {!query.data ? <Awaited query={query} label="audit log" /> : query.data.items.length === 0 ? (
          <Message icon="search" title="Nothing matches"><p>Choose other filters.</p></Message>
        ) : (
          <ul aria-label="Entries" className="divide-y divide-line">{query.data.items.map((one) => <Entry key={one.id} entry={one} />)}</ul>
        )}
        <CursorPager cursors={cursors} next={query.data?.next_cursor ?? null} onChange={setCursors} />
      </div>
    </>
  );
}

function Entry({ entry }: { entry: EntryOut }) {
  const changes = [["before", entry.before], ["after", entry.after]] as const;
  return (
    <li className="px-4 py-2.5">
      <p className="wrap-anywhere"><span className="font-medium">{harmless(entry.person_name)}</span> {entry.action} {entry.resource}</p>
      <p className="text-xs text-ink-2"><time dateTime={entry.at}>{times.format(new Date(entry.at))}</time>{entry.address !== null && ` · from ${entry.address}`}</p>
      {changes.map(([name, value]) => value !== null && <p key={name} className="font-mono text-xs text-ink-2 wrap-anywhere">{name}: {harmless(JSON.stringify(value))}</p>)}
    </li>
  );
}
