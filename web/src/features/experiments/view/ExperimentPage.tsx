import { Navigate, useParams } from "react-router";
import { experimentsApi, useGetExperimentQuery, useGetExperimentResultsQuery, useListExperimentLooksQuery, useListExperimentRoundsQuery } from "@/api/experiments";
import { useApiDispatch } from "@/api/dispatch";
import type { ExperimentOut, RoundOut } from "@/api/generated/orchestrator";
import { JudgeTrust } from "@/components/JudgeTrust";
import { Message, Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { useExperimentEvents } from "../use-experiment-events";
import { CasesSection } from "./CasesSection";
import { Conclusion } from "./Conclusion";
import { ExperimentHead } from "./ExperimentHead";
import { Guardrails } from "./Guardrails";
import { IntervalChart } from "./IntervalChart";
import { OutsideExample } from "./OutsideExample";
import { RoundsSection } from "./RoundsSection";
import { StateCard } from "./StateCard";
import { Setup } from "./Setup";
import { VariantsTable } from "./VariantsTable";

const MOST_LOOKS = 500;

/** `/experiments/:experimentId`: a started experiment. */
export default function ExperimentPage() {
  const { experimentId = "" } = useParams();
  const query = useGetExperimentQuery({ experimentId }, { refetchOnMountOrArgChange: true });
  const experiment = query.currentData;
  useTitle(experiment ? harmless(experiment.name) : "Experiment");
  if (experiment?.status === "DRAFT") return <Navigate to={`/experiments/${experimentId}/edit`} replace />;
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {experiment ? (
        <Opened key={experimentId} experiment={experiment} />
      ) : (
        <>
          <h1 className="sr-only">Experiment</h1>
          {!query.isError ? (
            <Skeleton className="h-96" />
          ) : [404, 422].includes(toProblem(query.error).status ?? 0) ? (
            <Message icon="ring" title="There is no such experiment"><p>It may have been deleted, or the link is incomplete. All experiments are in the list.</p></Message>
          ) : (
            <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
          )}
        </>
      )}
    </div>
  );
}

function Opened({ experiment }: { experiment: ExperimentOut }) {
  const { experiment_id: experimentId } = experiment;
  const dispatch = useApiDispatch();
  const results = useGetExperimentResultsQuery({ experimentId });
  const looks = useListExperimentLooksQuery({ experimentId, limit: MOST_LOOKS });
  const rounds = useListExperimentRoundsQuery({ experimentId, limit: MOST_LOOKS });
  const refresh = () => void dispatch(experimentsApi.util.invalidateTags([{ type: "Experiment", id: experimentId }]));
  const runIds = (rounds.data?.rounds ?? []).flatMap((one) => (one.ended_at === null && one.run_id !== null ? [one.run_id] : []));
  useExperimentEvents(refresh, { experimentId, runIds });

  const failed = [results, looks, rounds].find((one) => one.isError && one.data === undefined);
  const analysis = results.data?.analysis ?? null;
  const treatments = experiment.variants.filter((one) => !one.is_control);
  return (
    <>
      <ExperimentHead experiment={experiment} />
      <StateCard experiment={experiment} analysis={analysis} rounds={rounds.data?.rounds ?? []} />
      {analysis && <JudgeTrust runIds={lastRun(rounds.data?.rounds ?? [])} />}
      {experiment.conclusion && <Conclusion experiment={experiment} conclusion={experiment.conclusion} />}
      {failed ? (
        <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />
      ) : results.data && looks.data && rounds.data ? (
        <>
          <VariantsTable experiment={experiment} results={results.data} />
          {treatments.map((one) => (
            <Section key={one.variant_id} title={treatments.length > 1 ? `Difference of ${harmless(one.name)} to the control` : "Difference to the control"}>
              <p className="border-b border-line px-4 py-2 text-xs text-ink-2">{experiment.type === "MULTI_ARM_BANDIT" ? OF_BANDITS : EXPLANATIONS[experiment.config.method]}</p>
              <IntervalChart experiment={experiment} looks={looks.data?.looks ?? []} rounds={rounds.data?.rounds ?? []} treatment={one} />
            </Section>
          ))}
          {experiment.guardrail_metrics.length > 0 && <Guardrails experiment={experiment} results={results.data} />}
          {experiment.config.design === "paired" && looks.data.total > 0 && <CasesSection experiment={experiment} />}
          {experiment.sources === "none" && !experiment.stopped && !experiment.conclusion && <OutsideExample experiment={experiment} />}
          {experiment.sources !== "none" && <RoundsSection rounds={rounds.data.rounds} />}
        </>
      ) : (
        <Skeleton className="h-64" />
      )}
      <Setup experiment={experiment} analysis={analysis} />
    </>
  );
}

/** All rounds have the same evaluators. */
const lastRun = (rounds: readonly RoundOut[]) => rounds.flatMap((one) => one.run_id ?? []).slice(-1);

const OF_BANDITS = "The difference of the means so far. A bandit has no interval and no test, and its means are biased: it shows a variant that did badly less often.";

const EXPLANATIONS = {
  sequential: "The interval holds at every look (a confidence sequence), so frequent looks cause no additional false alarms. It narrows with every look. The experiment is decided when the interval leaves “no difference”, or when the wanted effect lies outside it.",
  frequentist: "The interval holds once, when the planned sample is complete. Until then it only shows how far the experiment is.",
  bayesian: "The interval contains the true difference with the stated probability, given the data. It is decided when the planned sample is complete.",
} as const;
