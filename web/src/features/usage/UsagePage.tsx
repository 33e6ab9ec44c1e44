import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { serializeParams } from "@/api/base-api";
import { useListMembersQuery } from "@/api/identity";
import { may, readSession } from "@/api/session";
import { useGetBudgetQuery, useGetUsageQuery, type UsageOut } from "@/api/usage";
import BudgetBanner from "@/components/BudgetBanner";
import { buttonLook } from "@/components/Button";
import { SelectField, TextField } from "@/components/Field";
import { FactStrip, type Fact } from "@/components/FactStrip";
import { Icon } from "@/components/Icon";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { formatBytes, formatCount, formatUsd, knownCost, plural } from "@/lib/format";
import { session } from "@/lib/rights";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";
import { useValue } from "@/live/hooks";
import { UsageChart } from "./UsageChart";
import { UsageTable } from "./UsageTable";
import { dayOf, groupOf, type Group } from "./usage-view";

const GROUP_OPTIONS: { value: Group; label: string }[] = [
  { value: "day", label: "Day" },
  { value: "person", label: "Person" },
  { value: "model", label: "Model" },
];

/** `/usage`: what the organisation used; the filters are in the address. */
export default function UsagePage() {
  useTitle("Usage");
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string) => setSearch((now) => writeOne(now, name, value === "" ? null : value), { replace: true });
  const filter = { since: dayOf(search.get("since")), until: dayOf(search.get("until")), personId: search.get("person"), model: search.get("model") };
  const groupBy = groupOf(search.get("by"));
  const query = useGetUsageQuery({ ...filter, groupBy }, { refetchOnMountOrArgChange: true });
  const nameOf = usePeople();
  const csv = serializeParams({ since: filter.since, until: filter.until, person_id: filter.personId, model: filter.model });
  const { data } = query;
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead title="Usage" actions={<a href={`/api/usage/export?${csv}`} download className={buttonLook("plain")}><Icon name="download" />CSV</a>} />
      <BudgetBanner />
      <div className="flex flex-wrap gap-3">
        <SelectField label="By" className="w-32" value={groupBy} options={GROUP_OPTIONS} onChange={(value) => set("by", value === "day" ? "" : value)} />
        <TextField label="From (UTC)" type="date" className="w-40" value={filter.since ?? data?.since ?? ""} onChange={(value) => set("since", value)} />
        <TextField label="Until (UTC)" type="date" className="w-40" value={filter.until ?? data?.until ?? ""} onChange={(value) => set("until", value)} />
        <SelectField label="Model" className="w-56" value={filter.model ?? ""} options={choices("All models", data?.models, filter.model, harmless)} onChange={(value) => set("model", value)} />
        <SelectField label="Person" className="w-48" value={filter.personId ?? ""} options={choices("Everybody", data?.people, filter.personId, nameOf)} onChange={(value) => set("person", value)} />
      </div>
      {data ? <Shown usage={data} isOld={query.isFetching} nameOf={nameOf} /> : query.isError ? <ErrorMessage error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton className="h-96" />}
    </div>
  );
}

function Shown({ usage, isOld, nameOf }: { usage: UsageOut; isOld: boolean; nameOf: (id: string | null) => string }) {
  const { totals, storage } = usage;
  const budget = useGetBudgetQuery().data;
  const unknown = totals.unpriced_calls > 0 ? `${plural(totals.unpriced_calls, "call")} of unknown cost` : undefined;
  const limit = storage.limit_bytes === null ? undefined : `of ${formatBytes(storage.limit_bytes)}`;
  const facts: Fact[] = [
    ["Cost", formatUsd(knownCost(totals)), ...(unknown ? [unknown] : [])] as Fact,
    ["Calls", formatCount(totals.calls)],
    ["Tokens in / out", `${formatCount(totals.prompt_tokens)} / ${formatCount(totals.completion_tokens)}`],
    ["Items", formatCount(totals.items)],
    ["Stored files", formatBytes(storage.bytes), ...(limit ? [limit] : [])] as Fact,
  ];
  if (budget && budget.budget_usd !== null) facts.push(["Budget of this month", `${formatUsd(budget.spent_usd)} of ${formatUsd(budget.budget_usd)}`]);
  return (
    <div className={`flex flex-col gap-4 ${isOld ? "opacity-70" : ""}`}>
      <FactStrip label="Totals" facts={facts} />
      {usage.rows.length === 0 ? (
        <div className="card"><Message icon="search" title="No calls in this period"><p>Choose other filters, or start a run.</p></Message></div>
      ) : (
        <>
          <UsageChart usage={usage} />
          <UsageTable usage={usage} nameOf={nameOf} />
        </>
      )}
    </div>
  );
}

/** Return the names of the organisation's members by id; there are none without sign-in. */
function usePeople(): (id: string | null) => string {
  const known = useValue(session);
  useEffect(() => {
    if (session.get() === null) void readSession();
  }, []);
  const isRefused = known === null || known.auth === "off" || !may(known, "members:read");
  const members = useListMembersQuery({ limit: 500 }, { skip: isRefused });
  const names = new Map(members.data?.items.map((one) => [one.id, harmless(one.name)]));
  return (id) => (id === null ? "Without sign-in" : (names.get(id) ?? `Former member ${id.slice(-6)}`));
}

function choices(all: string, values: readonly string[] | undefined, chosen: string | null, name: (value: string) => string) {
  const listed = new Set([...(values ?? []), ...(chosen === null ? [] : [chosen])]);
  return [{ value: "", label: all }, ...[...listed].map((value) => ({ value, label: name(value) }))];
}
