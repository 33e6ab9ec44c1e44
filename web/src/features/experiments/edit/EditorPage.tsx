import { skipToken } from "@reduxjs/toolkit/query/react";
import { Navigate, useParams } from "react-router";
import { useListCollectionsQuery } from "@/api/collections";
import { useVersionsByIdQuery } from "@/api/datasets";
import { useGetExperimentQuery } from "@/api/experiments";
import { useListEvaluatorsQuery } from "@/api/generated/config-api/evaluators";
import type { ExperimentOut } from "@/api/generated/orchestrator";
import { useListProvidersQuery } from "@/api/providers";
import BudgetBanner from "@/components/BudgetBanner";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { Editor } from "./Editor";

/** `/experiments/new`, and `/experiments/:draftId/edit` for a stored draft. */
export default function EditorPage() {
  const { draftId } = useParams();
  const draft = useGetExperimentQuery(draftId === undefined ? skipToken : { experimentId: draftId }, { refetchOnMountOrArgChange: true });
  const name = draft.currentData?.name;
  useTitle(name === undefined ? "New experiment" : harmless(name));
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      <PageHead title={name === undefined ? "New experiment" : harmless(name)} parent={{ to: "/experiments", label: "All experiments" }} note={name !== undefined && "Draft"} />
      <BudgetBanner />
      {draftId === undefined || draft.currentData ? (
        <Prepared key={draftId ?? "new"} draft={draft.currentData ?? null} />
      ) : !draft.isError ? (
        <Skeleton className="h-96" />
      ) : [404, 422].includes(toProblem(draft.error).status ?? 0) ? (
        <Message icon="ring" title="There is no such experiment"><p>It may have been deleted, or the link is incomplete. All experiments are in the list.</p></Message>
      ) : (
        <ErrorMessage error={draft.error} onRetry={() => void draft.refetch()} />
      )}
    </div>
  );
}

/** Read what the form needs to begin. */
function Prepared({ draft }: { draft: ExperimentOut | null }) {
  const ids = draft?.sources && draft.sources !== "none" ? ((draft.sources.dataset_version_ids as string[] | undefined) ?? []) : [];
  const providers = useListProvidersQuery({ limit: 500 }, { refetchOnMountOrArgChange: true });
  const collections = useListCollectionsQuery({ limit: 500 }, { refetchOnMountOrArgChange: true });
  const evaluators = useListEvaluatorsQuery();
  const versions = useVersionsByIdQuery(ids.length === 0 ? skipToken : ids);
  const failed = [providers, collections, evaluators, versions].find((one) => one.isError);
  if (draft && draft.status !== "DRAFT") return <Navigate to={`/experiments/${draft.experiment_id}`} replace />;
  if (failed) return <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!providers.data || !collections.data || !evaluators.data || (ids.length > 0 && !versions.data)) return <Skeleton className="h-96" />;
  return <Editor draft={draft} versions={versions.data ?? []} evaluators={evaluators.data.items} providers={providers.data.items} collections={collections.data.items} />;
}
