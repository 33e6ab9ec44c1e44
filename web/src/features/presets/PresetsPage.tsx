import { lazy, Suspense, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useListBaselinesQuery } from "@/api/baselines";
import type { PresetOut } from "@/api/generated/config-api";
import type { BaselineOut } from "@/api/generated/orchestrator";
import { useListPresetsQuery } from "@/api/presets";
import { Button } from "@/components/Button";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { clickRowLink } from "@/components/row-link";
import { plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { settingWords } from "./preset-settings";

const PresetDialog = lazy(() => loadCode(async () => ({ default: (await import("./PresetDialog")).PresetDialog })));

const HEAD = "px-3 py-2.5 text-left font-medium first:pl-4 last:pr-4";
const CELL = "px-3 py-3 align-top first:pl-4 last:pr-4";
const PER_PAGE = 50;
/** The server's maximum page size. */
const MOST = 500;

/** `/presets`: settings of runs by name, with the baselines of their runs. */
export default function PresetsPage() {
  useTitle("Presets");
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const [limit, setLimit] = useState(PER_PAGE);
  const query = useListPresetsQuery({ limit }, { refetchOnMountOrArgChange: true });
  const presets = query.data?.items ?? [];
  const baselines = useListBaselinesQuery({ limit: MOST }, { refetchOnMountOrArgChange: true }).data?.items ?? [];
  const more = query.data?.next_cursor != null;
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHead
        title="Presets"
        note={presets.length > 0 && `${plural(presets.length, "preset")}${more ? " so far" : ""}`}
        actions={<Button kind="primary" icon="plus" right="presets:create" onClick={() => setMaking(true)}>New preset</Button>}
      />
      {query.data && query.isError && <ProblemNote error={query.error} />}
      <div className="card overflow-hidden">
        {query.data ? (
          presets.length > 0 ? <Table presets={presets} baselines={baselines} /> : <NoPresets />
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading presets" className="p-4">
            <Skeleton className="h-4 w-1/3" />
          </div>
        )}
      </div>
      {more && limit < MOST && (
        <Button className="self-center" disabled={query.isFetching} onClick={() => setLimit(MOST)}>
          {query.isFetching ? "Loading…" : "Load more"}
        </Button>
      )}
      <Suspense>{making && <PresetDialog preset={null} onClose={() => setMaking(false)} onSaved={(made) => void navigate(`/presets/${made.id}`)} />}</Suspense>
    </div>
  );
}

function Table({ presets, baselines }: { presets: readonly PresetOut[]; baselines: readonly BaselineOut[] }) {
  const baselinesOf = (id: string) => baselines.filter(({ subject }) => subject.kind === "preset" && subject.id === id);
  return (
    <table className="w-full table-fixed">
      <thead className="border-b border-line bg-sunken text-xs text-ink-2">
        <tr>
          <th scope="col" className={HEAD}>Preset</th>
          <th scope="col" className={`${HEAD} hidden md:table-cell`}>Settings</th>
          <th scope="col" className={`${HEAD} w-36 sm:w-64`}>Baselines</th>
        </tr>
      </thead>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <tbody className="divide-y divide-line" onClick={clickRowLink}>
        {presets.map((one) => (
          <tr key={one.id} className="cursor-pointer hover:bg-hover">
            <td className={CELL}>
              <Link to={`/presets/${one.id}`} className="font-medium wrap-anywhere hover:text-accent hover:underline">{harmless(one.name)}</Link>
              {one.description && <div className="mt-0.5 line-clamp-2 text-xs wrap-anywhere text-ink-2">{harmless(excerpt(one.description, 300, 3).text)}</div>}
              <div className="mt-0.5 text-xs text-ink-2 md:hidden">{settingWords(one.settings)}</div>
            </td>
            <td className={`${CELL} hidden text-ink-2 md:table-cell`}>{settingWords(one.settings)}</td>
            <td className={CELL}>
              {baselinesOf(one.id).length === 0 ? <span className="text-ink-3">None</span> : baselinesOf(one.id).map((baseline) => <Labelled key={baseline.id} baseline={baseline} />)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Labelled = ({ baseline }: { baseline: BaselineOut }) => (
  <div className="line-clamp-2 wrap-anywhere">
    {harmless(baseline.label)} <span className="text-xs text-ink-2">{plural(baseline.gates.length, "gate")}</span>
  </div>
);

function NoPresets() {
  return (
    <Message icon="spark" title="No presets yet">
      <p>A preset keeps what is the same for many runs: calls at once, timeouts, retries. Its runs can have a baseline, with which each later run is compared when it ends.</p>
    </Message>
  );
}
