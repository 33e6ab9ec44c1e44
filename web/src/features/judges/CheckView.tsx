import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { CheckedCase, CheckFiguresOut, RateOut } from "@/api/generated/orchestrator";
import { useGetJudgeCheckQuery, useListJudgeCheckCasesQuery } from "@/api/judges";
import { Button, ButtonLink } from "@/components/Button";
import { Disclosure } from "@/components/Disclosure";
import { zoomedAxis } from "@/components/charts/axis";
import { AxisEnds, IntervalBar } from "@/components/IntervalBar";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { formatCount, formatUsd, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { goesOn, intervalOf, inWords, POLL_MS, rateRows, verdictWords } from "./judge-words";

const FOUND = [{ value: "wrong", label: "Wrong" }, { value: "missing", label: "Without a verdict" }, { value: "all", label: "All" }] as const;

/** One judge check: its figures, and the cases with the judge's verdicts. */
export function CheckView({ id }: { id: string }) {
  const [isOver, setOver] = useState(false);
  const check = useGetJudgeCheckQuery({ checkId: id }, { refetchOnMountOrArgChange: true, pollingInterval: isOver ? 0 : POLL_MS });
  const over = check.data !== undefined && !goesOn(check.data);
  if (over !== isOver) setOver(over);
  if (check.isError) return <ErrorMessage error={check.error} onRetry={() => void check.refetch()} />;
  if (!check.data) return <Skeleton className="h-96" />;
  const { judge, set, figures, status, repeats } = check.data;
  const outcomes = Object.entries(figures.outcomes).map(([name, count]) => `${formatCount(count)} ${name}`).join(", ");
  return (
    <>
      <PageHead
        title={harmless(judge.model)}
        parent={{ to: "/judges", label: "Judges" }}
        note={`${harmless(judge.provider_name)} on ${harmless(set.name)}, ${plural(set.cases, "case")}, judged ${plural(repeats, "time")}`}
        actions={<ButtonLink to={`/runs/${id}`}>Open the run</ButtonLink>}
      />
      {status !== "FINISHED" && <p role="status" className="text-ink-2">The check is {status.toLowerCase()}{check.data.status_reason === null ? "" : `: ${harmless(check.data.status_reason)}`}. Its figures are those of the verdicts so far.</p>}
      <div className="grid gap-4 lg:grid-cols-2">
        <Figures figures={figures} />
        <Categories figures={figures} />
      </div>
      <p className="text-sm text-ink-2">
        {plural(figures.asked, "verdict")}: {outcomes}. {figures.by_program > 0 && `${formatCount(figures.by_program)} needed no judge. `}
        {figures.cost_usd === null ? "The judge’s price is not known." : `Cost: ${formatUsd(figures.cost_per_verdict_usd)} per verdict, ${formatUsd(figures.cost_usd)} in all.`}
      </p>
      <Cases id={id} finished={over} />
    </>
  );
}

function Figures({ figures }: { figures: CheckFiguresOut }) {
  return (
    <Section title="Figures">
      <Rates label="Figures" rows={rateRows(figures).map(({ name, label, note }) => ({ label, note, rate: figures[name] }))} />
    </Section>
  );
}

function Categories({ figures }: { figures: CheckFiguresOut }) {
  return (
    <Section title="Right verdicts by category">
      <Rates label="Categories" rows={figures.categories.map(({ category, accuracy }) => ({ label: harmless(category), rate: accuracy }))} />
    </Section>
  );
}

function Rates({ label, rows }: { label: string; rows: { label: string; note?: string; rate: RateOut }[] }) {
  const axis = zoomedAxis(rows.map(({ rate }) => ({ value: rate.value, interval: intervalOf(rate) })));
  return (
    <table className="w-full text-sm" aria-label={label}>
      <thead className="border-b border-line bg-sunken text-left text-xs text-ink-2">
        <tr>
          <th scope="col" className="px-4 py-2 font-medium">What</th>
          <th scope="col" className="px-4 py-2 text-right font-medium">Rate<AxisEnds axis={axis} /></th>
          <th scope="col" className="px-4 py-2 text-right font-medium">Cases</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(({ label: name, note, rate }) => (
          <tr key={name}>
            <th scope="row" className="px-4 py-2 text-left font-normal wrap-anywhere">{name}{note && <span className="block text-xs text-ink-2">{note}</span>}</th>
            <td className="px-4 py-2 text-right whitespace-nowrap"><IntervalBar value={rate.value} interval={intervalOf(rate)} axis={axis} /></td>
            <td className="px-4 py-2 text-right">{formatCount(rate.cases)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cases({ id, finished }: { id: string; finished: boolean }) {
  const [search, setSearch] = useSearchParams();
  const found = FOUND.find(({ value }) => value === search.get("found"))?.value ?? "wrong";
  const [cursors, setCursors] = useState<string[]>([]);
  const cases = useListJudgeCheckCasesQuery({ checkId: id, found, limit: 20, cursor: cursors.at(-1) }, { refetchOnMountOrArgChange: true, pollingInterval: finished ? 0 : POLL_MS });
  const next = cases.currentData?.next_cursor ?? null;
  const choose = (one: typeof found) => {
    setSearch((now) => writeOne(now, "found", one === "wrong" ? null : one), { replace: true, preventScrollReset: true });
    setCursors([]);
  };
  return (
    <Section title="Cases" aside={<Segments label="Which cases" options={FOUND} value={found} onChange={choose} />}>
      {cases.isError ? (
        <ErrorMessage error={cases.error} onRetry={() => void cases.refetch()} />
      ) : !cases.currentData ? (
        <Skeleton className="h-40" />
      ) : cases.currentData.items.length === 0 ? (
        <Message icon="search" title="No such case"><p>{finished ? "The judge has no such verdict." : "There is no such verdict yet."}</p></Message>
      ) : (
        <ul className="divide-y divide-line">{cases.currentData.items.map((one) => <li key={one.id} className="px-4 py-3"><Case id={id} found={one} /></li>)}</ul>
      )}
      {(cursors.length > 0 || next !== null) && (
        <nav aria-label="Pages of cases" className="flex justify-end gap-2 border-t border-line px-4 py-2.5">
          <Button icon="previous" disabled={cursors.length === 0} onClick={() => setCursors((now) => now.slice(0, -1))}>Previous</Button>
          <Button icon="next" disabled={next === null} onClick={() => next !== null && setCursors((now) => [...now, next])}>Next</Button>
        </nav>
      )}
    </Section>
  );
}

function Case({ id, found }: { id: string; found: CheckedCase }) {
  return (
    <Disclosure title={<PlainText text={found.question} maxCharacters={200} maxLines={2} />} summary={`${harmless(found.category)} · right: ${inWords(found.right)}`}>
      <div className="mt-2 grid gap-3 md:grid-cols-2">
        <Answer title={found.second === null ? "Answer" : "First answer"} text={found.first} />
        {found.second !== null && <Answer title="Second answer" text={found.second} />}
      </div>
      {found.why && <p className="mt-2 text-sm"><span className="font-medium">Why:</span> {harmless(found.why)}</p>}
      <ul className="mt-2 flex flex-col gap-1 text-sm">
        {found.verdicts.map((verdict) => (
          <li key={verdict.item_id}>
            <Link to={`/runs/${id}/items?item=${verdict.item_id}`} className="text-accent underline underline-offset-2">Verdict {verdict.repeat}</Link>: {verdictWords(verdict)}
            {(verdict.reason ?? verdict.error) && <PlainText text={verdict.reason ?? verdict.error ?? ""} className="text-ink-2" maxCharacters={600} />}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function Answer({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="text-xs font-medium text-ink-2">{title}</h3>
      <PlainText text={text} className="mt-1" />
    </div>
  );
}
