import { lazy, Suspense } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { useListProvidersQuery } from "@/api/providers";
import type { HeadToHead, Leaderboard, LeaderboardEntry, LeaderboardList } from "@/api/generated/orchestrator";
import { useGetLeaderboardQuery } from "@/api/suites";
import { MultiSelect } from "@/components/Combobox";
import { SelectField, TextField } from "@/components/Field";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { JudgeTrust } from "@/components/JudgeTrust";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatCount, formatDate, formatFixed, formatInterval, formatLatency, formatPart, formatPercent, formatRate, formatUsd } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { writeOne, writeSet } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { DIFFERS, rankText, readFilter } from "./leaderboard-words";

const Scores = lazy(() => loadCode(async () => ({ default: (await import("./Scores")).Scores })));

const HEAD = "px-4 py-2 font-medium whitespace-nowrap";
const CELL = "px-4 py-2 whitespace-nowrap";

/** `/suites/:suiteId/leaderboard?version=…&provider=…&since=…&category=…&tag=…`: the targets of a suite by rank. */
export default function LeaderboardPage() {
  const { suiteId = "" } = useParams();
  const [search] = useSearchParams();
  const query = useGetLeaderboardQuery({ suite: suiteId, ...readFilter(search) }, { refetchOnMountOrArgChange: true });
  const board = query.data;
  useTitle("Leaderboard");
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead title="Leaderboard" parent={{ to: `/suites/${suiteId}`, label: board ? harmless(board.name) : "The suite" }} note="The latest complete run of each target" />
      {query.isError && toProblem(query.error).status === 404 ? (
        <Message icon="ring" title="There is no such suite"><p>It may have been deleted, or the link is incomplete. All suites are in <Link to="/suites" className="text-accent hover:underline">the list</Link>.</p></Message>
      ) : (
        <>
          <Filters board={board} />
          {query.isError ? (
            <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
          ) : query.currentData ? (
            <Lists board={query.currentData} />
          ) : (
            <Skeleton className="h-64" />
          )}
        </>
      )}
    </div>
  );
}

function Filters({ board }: { board: Leaderboard | undefined }) {
  const [search, setSearch] = useSearchParams();
  const chosen = readFilter(search);
  const set = (name: string, value: string) => setSearch((now) => writeOne(now, name, value || null), { replace: true, preventScrollReset: true });
  const setAll = (name: string, values: string[]) => setSearch((now) => writeSet(now, name, values), { replace: true, preventScrollReset: true });
  const providers = (useListProvidersQuery({ limit: 500 }).data?.items ?? []).map((one) => ({ value: one.id, label: harmless(one.name) }));
  const version = chosen.version === undefined ? "" : String(chosen.version);
  const versions = [...new Set([...(board?.versions ?? []).map(String), version])].filter(Boolean);
  const categories = [...new Set([...(board?.categories ?? []), chosen.category ?? ""])].filter(Boolean);
  return (
    <div className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 lg:grid-cols-[9rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_9.5rem]">
      <SelectField label="Version" value={version} options={[{ value: "", label: "Every version" }, ...versions.map((one) => ({ value: one, label: one }))]} onChange={(value) => set("version", value)} />
      <SelectField label="Category" value={chosen.category ?? ""} options={[{ value: "", label: "The entire suite" }, ...categories.map((one) => ({ value: one, label: harmless(one) }))]} onChange={(value) => set("category", value)} />
      <MultiSelect label="Tags of cases" free placeholder="All cases" choices={chosen.tag.map((one) => ({ value: one, label: harmless(one) }))} selected={chosen.tag} onChange={(values) => setAll("tag", values)} />
      <MultiSelect label="Providers" placeholder="Any provider" choices={providers} selected={chosen.providerId} onChange={(values) => setAll("provider", values)} />
      <TextField label="Finished since" type="date" value={search.get("since") ?? ""} onChange={(value) => set("since", value)} />
    </div>
  );
}

function Lists({ board }: { board: Leaderboard }) {
  if (board.lists.length === 0) {
    return <div className="card"><Message icon="search" title="No finished run fits"><p>Run the suite on some models, or choose other filters.</p></Message></div>;
  }
  return (
    <>
      <JudgeTrust runIds={board.lists.flatMap((list) => list.entries.map((entry) => entry.run_id))} />
      {board.lists.map((list, place) => <List key={place} list={list} number={place + 1} />)}
      {board.more && <p className="text-ink-2">Only the newest runs are considered. The filters choose older ones.</p>}
    </>
  );
}

function List({ list, number }: { list: LeaderboardList; number: number }) {
  const title = `Version ${list.version_number}${list.judges.length > 0 ? `, judged by ${list.judges.map(harmless).join(", ")}` : ""}`;
  return (
    <Section title={number === 1 ? title : `${title} (list ${number})`}>
      {list.differs.length > 0 && <p className="px-4 py-3 text-ink-2">Its scores cannot be compared with those of the first list: it has {list.differs.map((one) => DIFFERS[one]).join(" and ")}.</p>}
      {list.entries.length > 1 && <Suspense fallback={<div className="p-4"><Skeleton className="h-32" /></div>}><Scores list={list} number={number} /></Suspense>}
      {list.entries.length > 0 && (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={`Ranks of list ${number}`}>
          <table className="w-full text-sm">
            <thead className="text-left text-xs text-ink-2">
              <tr>{["Rank", "Target", "Score", "Scored", "Cost", "Time", "Tokens/s", "Run"].map((one) => <th key={one} scope="col" className={HEAD}>{one}</th>)}</tr>
            </thead>
            <tbody className="divide-y divide-line">{list.entries.map((entry) => <Row key={entry.target_id} entry={entry} />)}</tbody>
          </table>
        </div>
      )}
      {list.entries.length > 0 && <p className="px-4 py-3 text-xs text-ink-2">A rank is a range where intervals (95%) overlap: these targets are not separated. Cost, time and tokens are those of the entire run.</p>}
      {list.entries.some((entry) => entry.note !== null) && (
        <ul aria-label={`Notes of list ${number}`} className="flex flex-col gap-1 px-4 pb-3 text-xs text-ink-2">
          {list.entries.map((entry) => entry.note !== null && <li key={entry.target_id} className="wrap-anywhere"><span className="font-medium">{harmless(entry.label)}</span>: {harmless(entry.note)}.</li>)}
        </ul>
      )}
      {list.not_listed.length > 0 && (
        <ul className="flex flex-col gap-1.5 border-t border-line px-4 py-3 text-ink-2">
          {list.not_listed.map((one) => (
            <li key={one.label} className="wrap-anywhere">
              <Link to={`/runs/${one.run_id}`} className="text-accent hover:underline">{harmless(one.label)}</Link> is not listed: {harmless(one.reason)}.
            </li>
          ))}
        </ul>
      )}
      {list.head_to_head && <Games found={list.head_to_head} number={number} />}
    </Section>
  );
}

function Row({ entry }: { entry: LeaderboardEntry }) {
  return (
    <tr>
      <td className={CELL}>{rankText(entry.rank_low, entry.rank_high)}</td>
      <th scope="row" className="min-w-40 px-4 py-2 text-left font-medium wrap-anywhere">
        {harmless(entry.label)}
        <div className="text-xs font-normal text-ink-2">{harmless(entry.provider_name)}{entry.model !== entry.label && `, ${harmless(entry.model)}`}</div>
      </th>
      <td className={CELL}>
        {formatPercent(entry.score)} <span className="text-xs text-ink-2 max-sm:block">{formatInterval(entry.interval)}</span>
      </td>
      <td className={CELL}>{formatPart(entry.scored, entry.items)}</td>
      <td className={CELL}>{formatUsd(entry.cost_usd)}</td>
      <td className={CELL}>{formatLatency(entry.mean_time_ms)}</td>
      <td className={CELL}>{formatRate(entry.mean_tokens_per_second)}</td>
      <td className={CELL}><Link to={`/runs/${entry.run_id}`} aria-label={`${formatDate(entry.finished_at)}, run of ${harmless(entry.label)}`} className="text-accent hover:underline">{formatDate(entry.finished_at)}</Link></td>
    </tr>
  );
}

function Games({ found, number }: { found: HeadToHead; number: number }) {
  return (
    <div className="border-t border-line">
      <h3 className="px-4 pt-3 font-medium">Head to head with the reference answers</h3>
      {found.reason !== null ? (
        <p className="px-4 py-3 text-ink-2">{harmless(found.reason)}</p>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={`Head to head of list ${number}`}>
          <table className="w-full text-sm">
            <thead className="text-left text-xs text-ink-2">
              <tr>{["Rank", "Player", "Strength", "Comparisons"].map((one) => <th key={one} scope="col" className={HEAD}>{one}</th>)}</tr>
            </thead>
            <tbody className="divide-y divide-line">
              {found.players.map((one) => (
                <tr key={one.target_id ?? "references"}>
                  <td className={CELL}>{rankText(one.rank_low, one.rank_high)}</td>
                  <th scope="row" className="px-4 py-2 text-left font-medium wrap-anywhere">{harmless(one.label)}</th>
                  <td className={CELL}>{formatFixed(one.strength, 2)} {one.interval && <span className="text-xs text-ink-2">{formatFixed(one.interval.low, 2)} to {formatFixed(one.interval.high, 2)}</span>}</td>
                  <td className={CELL}>{formatCount(one.games)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
