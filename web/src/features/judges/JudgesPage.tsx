import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { JudgeCheckDetail } from "@/api/generated/orchestrator";
import { useListJudgeChecksQuery } from "@/api/judges";
import { Allowed } from "@/components/Allowed";
import { Button } from "@/components/Button";
import { zoomedAxis } from "@/components/charts/axis";
import { AxisEnds, IntervalBar } from "@/components/IntervalBar";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatUsd, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";
import { CheckView } from "./CheckView";
import { bySet, COLUMNS, goesOn, intervalOf, POLL_MS } from "./judge-words";
import { NewCheckDialog } from "./NewCheckDialog";

/** `/judges`: the judges that were checked, side by side; `?check=<id>` shows one with the cases that it got wrong. */
export default function JudgesPage() {
  useTitle("Judges");
  const [search, setSearch] = useSearchParams();
  const [isOpen, setOpen] = useState(false);
  const chosen = search.get("check");
  const choose = (id: string) => setSearch((now) => writeOne(now, "check", id));
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {chosen !== null ? (
        <CheckView key={chosen} id={chosen} />
      ) : (
        <>
          <PageHead
            title="Judges"
            note="How far a judge can be trusted"
            actions={<Allowed right="runs:create"><Button kind="primary" icon="scale" onClick={() => setOpen(true)}>Check a judge</Button></Allowed>}
          />
          <Checks />
        </>
      )}
      {isOpen && <NewCheckDialog onClose={() => setOpen(false)} onStarted={choose} />}
    </div>
  );
}

function Checks() {
  const [isGoing, setGoing] = useState(false);
  const checks = useListJudgeChecksQuery({ limit: 100 }, { refetchOnMountOrArgChange: true, pollingInterval: isGoing ? POLL_MS : 0 });
  const going = checks.data?.items.some(goesOn) ?? false;
  if (going !== isGoing) setGoing(going);
  if (checks.isError) return <ErrorMessage error={checks.error} onRetry={() => void checks.refetch()} />;
  if (!checks.data) return <Skeleton className="h-64" />;
  if (checks.data.items.length === 0) {
    return (
      <div className="card">
        <Message icon="scale" title="No judge has been checked yet">
          <p>A check lets a judge score answers whose right verdict is known: terse ones against long ones, confident nonsense, answers that give orders to the judge. It shows how often the judge is right, consistent and fooled.</p>
        </Message>
      </div>
    );
  }
  return bySet(checks.data.items).map(([digest, of]) => <Judges key={digest} checks={of} />);
}

function Judges({ checks }: { checks: JudgeCheckDetail[] }) {
  const set = checks[0]?.set;
  if (!set) return null;
  return (
    <Section title={harmless(set.name)} aside={<span className="text-xs text-ink-2">{plural(set.cases, "case")}</span>}>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={`Judges on ${harmless(set.name)}`}>
        <table className="w-full text-sm">
          <thead className="border-b border-line bg-sunken text-xs text-ink-2">
            <tr>
              <th scope="col" className="px-4 py-2 text-left font-medium">Judge</th>
              {COLUMNS.map(({ label, name }) => <th key={name} scope="col" className={HEAD}>{label}<AxisEnds axis={axisOf(checks, name)} /></th>)}
              <th scope="col" className={HEAD}>Cost per verdict</th>
              <th scope="col" className={HEAD}>Checked</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">{checks.map((check) => <Row key={check.id} check={check} all={checks} />)}</tbody>
        </table>
      </div>
    </Section>
  );
}

const HEAD = "px-4 py-2 text-right font-medium whitespace-nowrap";

/** Return the common axis of a column. */
const axisOf = (checks: readonly JudgeCheckDetail[], name: (typeof COLUMNS)[number]["name"]) => zoomedAxis(checks.map(({ figures }) => ({ value: figures[name].value, interval: intervalOf(figures[name]) })));

function Row({ check, all }: { check: JudgeCheckDetail; all: readonly JudgeCheckDetail[] }) {
  return (
    <tr>
      <th scope="row" className="min-w-44 px-4 py-2 text-left font-normal">
        <Link to={`?check=${check.id}`} className="text-accent wrap-anywhere hover:underline">{harmless(check.judge.model)}</Link>
        <span className="block text-xs text-ink-2">{harmless(check.judge.provider_name)}</span>
      </th>
      {COLUMNS.map(({ name }) => <td key={name} className="px-4 py-2 text-right whitespace-nowrap"><IntervalBar value={check.figures[name].value} interval={intervalOf(check.figures[name])} axis={axisOf(all, name)} /></td>)}
      <td className="px-4 py-2 text-right whitespace-nowrap">{formatUsd(check.figures.cost_per_verdict_usd)}</td>
      <td className="px-4 py-2 text-right whitespace-nowrap">{check.status === "FINISHED" ? <Moment at={check.finished_at} /> : check.status.toLowerCase()}</td>
    </tr>
  );
}
