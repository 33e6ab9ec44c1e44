/** Annotation as the app uses it: the generated client plus cache tags, and what a person who labels may do. */

import { useMemo } from "react";
import { ask, useApiDispatch } from "./dispatch";
import { serializeParams } from "./base-api";
import type { AnnotationIn, NextItem, Saved, Submitted, Undone } from "./generated/config-api";
import { configApi as generated } from "./generated/config-api/annotation";

export const TASKS_PER_PAGE = 20;
export const ITEMS_PER_PAGE = 20;
export const MOST_ANNOTATORS = 100;

const changesTask = (_result: unknown, error: unknown) => (error ? [] : (["AnnotationTask"] as const));
const changesResults = (_result: unknown, error: unknown) => (error ? [] : (["AnnotationResults"] as const));

const annotationApi = generated.enhanceEndpoints({
  addTagTypes: ["AnnotationTask", "AnnotationResults", "Annotator", "AnnotationInvitation", "DatasetList", "Dataset"],
  endpoints: {
    listAnnotationTasks: { providesTags: ["AnnotationTask"] },
    getAnnotationTask: { providesTags: ["AnnotationTask"] },
    listWork: { providesTags: ["AnnotationTask"] },
    annotationProgress: { providesTags: ["AnnotationTask", "AnnotationResults"] },
    listAnnotationItems: { providesTags: ["AnnotationResults"] },
    listAnnotators: { providesTags: ["Annotator"] },
    createAnnotationTask: { invalidatesTags: changesTask },
    changeAnnotationTask: { invalidatesTags: changesTask },
    // The deleted task itself is not fetched again: it would answer 404.
    deleteAnnotationTask: { invalidatesTags: [] },
    activateAnnotationTask: { invalidatesTags: changesTask },
    pauseAnnotationTask: { invalidatesTags: changesTask },
    completeAnnotationTask: { invalidatesTags: changesTask },
    decideAnnotationItem: { invalidatesTags: changesResults },
    withdrawDecision: { invalidatesTags: changesResults },
    createAnnotator: { invalidatesTags: (_result, error) => (error ? [] : ["Annotator"]) },
    changeAnnotator: { invalidatesTags: (_result, error) => (error ? [] : ["Annotator", "AnnotationResults"]) },
    listAnnotationInvitations: { providesTags: ["AnnotationInvitation"] },
    inviteAnnotator: { invalidatesTags: (_result, error) => (error ? [] : ["AnnotationInvitation", "Annotator"]) },
    revokeAnnotationInvitation: { invalidatesTags: (_result, error) => (error ? [] : ["AnnotationInvitation"]) },
    makeVersionFromConsensus: { invalidatesTags: (result) => (result ? ["DatasetList", { type: "Dataset", id: result.dataset_id }] : []) },
  },
});

export const {
  useListAnnotationTasksQuery,
  useGetAnnotationTaskQuery,
  useAnnotationProgressQuery,
  useListAnnotationItemsQuery,
  useListAnnotatorsQuery,
  useListWorkQuery,
  useCreateAnnotationTaskMutation,
  useChangeAnnotationTaskMutation,
  useDeleteAnnotationTaskMutation,
  useActivateAnnotationTaskMutation,
  usePauseAnnotationTaskMutation,
  useCompleteAnnotationTaskMutation,
  useDecideAnnotationItemMutation,
  useWithdrawDecisionMutation,
  useCreateAnnotatorMutation,
  useChangeAnnotatorMutation,
  useMakeVersionFromConsensusMutation,
  useListAnnotationInvitationsQuery,
  useInviteAnnotatorMutation,
  useRevokeAnnotationInvitationMutation,
  useReadAnnotationInvitationQuery,
} = annotationApi;

export type Method = "majority" | "dawid_skene";

/** Return the address of the file with what people agree on. */
export const exportHref = (taskId: string, format: "JSON" | "CSV", threshold: number, method: Method) =>
  `/v1/annotations/tasks/${encodeURIComponent(taskId)}/export?${serializeParams({ format, consensus_threshold: threshold, method })}`;

export type Answer<T> = { data: T; error?: undefined } | { data?: undefined; error: unknown };

/** The requests of a person who labels. Nothing is cached: each response is the newest. */
export interface LabelClient {
  /** Identifies the person among those who label in several tabs of one browser. */
  who: string;
  /** `null` if there is nothing left. */
  next: () => Promise<Answer<NextItem | null>>;
  submit: (itemId: string, body: AnnotationIn) => Promise<Answer<Submitted>>;
  save: (itemId: string, labels: object) => Promise<Answer<Saved>>;
  undo: () => Promise<Answer<Undone>>;
}

/** Return the requests of the person who has signed in, or without sign-in of the named annotator. */
export function useLabelClient(taskId: string, annotatorId: string | null): LabelClient {
  const dispatch = useApiDispatch();
  return useMemo(() => {
    const { nextAnnotationItem, submitAnnotation, saveAnnotationDraft, undoAnnotation } = annotationApi.endpoints;
    const whose = { taskId, annotatorId };
    return {
      who: `${taskId} ${annotatorId ?? ""}`,
      next: () => asked(dispatch(nextAnnotationItem.initiate(whose, { forceRefetch: true }))),
      submit: async (itemId, annotationIn) => answerOf(await dispatch(submitAnnotation.initiate({ ...whose, itemId, annotationIn }))),
      save: async (itemId, labels) => answerOf(await dispatch(saveAnnotationDraft.initiate({ ...whose, itemId, draft: { labels } }))),
      undo: async () => answerOf(await dispatch(undoAnnotation.initiate(whose))),
    };
  }, [dispatch, taskId, annotatorId]);
}

/** Return the requests of a person who has an invitation link instead of a session. */
export function useInvitedClient(token: string): LabelClient {
  const dispatch = useApiDispatch();
  return useMemo(() => {
    const { nextInvitedItem, submitInvitedAnnotation, saveInvitedDraft, undoInvitedAnnotation } = annotationApi.endpoints;
    const whose = { "Llmbench-Invitation": token };
    return {
      who: token.slice(-12),
      next: () => asked(dispatch(nextInvitedItem.initiate(whose, { forceRefetch: true }))),
      submit: async (itemId, annotationIn) => answerOf(await dispatch(submitInvitedAnnotation.initiate({ ...whose, itemId, annotationIn }))),
      save: async (itemId, labels) => answerOf(await dispatch(saveInvitedDraft.initiate({ ...whose, itemId, draft: { labels } }))),
      undo: async () => answerOf(await dispatch(undoInvitedAnnotation.initiate(whose))),
    };
  }, [dispatch, token]);
}

const asked = async <T,>(query: Parameters<typeof ask<T>>[0]): Promise<Answer<T>> => ask(query).then((data) => ({ data }), (error: unknown) => ({ error }));

const answerOf = <T,>({ data, error }: { data?: T | undefined; error?: unknown }): Answer<T> => (error === undefined ? { data: data as T } : { error });
