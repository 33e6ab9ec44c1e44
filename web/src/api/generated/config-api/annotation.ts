import { baseApi as api } from "../../base-api";
import type {
  ListAnnotatorsApiResponse,
  ListAnnotatorsApiArg,
  CreateAnnotatorApiResponse,
  CreateAnnotatorApiArg,
  GetAnnotatorApiResponse,
  GetAnnotatorApiArg,
  ChangeAnnotatorApiResponse,
  ChangeAnnotatorApiArg,
  ListAnnotationTasksApiResponse,
  ListAnnotationTasksApiArg,
  CreateAnnotationTaskApiResponse,
  CreateAnnotationTaskApiArg,
  GetAnnotationTaskApiResponse,
  GetAnnotationTaskApiArg,
  ChangeAnnotationTaskApiResponse,
  ChangeAnnotationTaskApiArg,
  DeleteAnnotationTaskApiResponse,
  DeleteAnnotationTaskApiArg,
  ActivateAnnotationTaskApiResponse,
  ActivateAnnotationTaskApiArg,
  PauseAnnotationTaskApiResponse,
  PauseAnnotationTaskApiArg,
  CompleteAnnotationTaskApiResponse,
  CompleteAnnotationTaskApiArg,
  AnnotationProgressApiResponse,
  AnnotationProgressApiArg,
  ListAnnotationItemsApiResponse,
  ListAnnotationItemsApiArg,
  DecideAnnotationItemApiResponse,
  DecideAnnotationItemApiArg,
  WithdrawDecisionApiResponse,
  WithdrawDecisionApiArg,
  ExportAnnotationsApiResponse,
  ExportAnnotationsApiArg,
  DownloadAnnotationsApiResponse,
  DownloadAnnotationsApiArg,
  MakeVersionFromConsensusApiResponse,
  MakeVersionFromConsensusApiArg,
  ListAnnotationInvitationsApiResponse,
  ListAnnotationInvitationsApiArg,
  InviteAnnotatorApiResponse,
  InviteAnnotatorApiArg,
  RevokeAnnotationInvitationApiResponse,
  RevokeAnnotationInvitationApiArg,
  ListWorkApiResponse,
  ListWorkApiArg,
  ReadAnnotationInvitationApiResponse,
  ReadAnnotationInvitationApiArg,
  NextInvitedItemApiResponse,
  NextInvitedItemApiArg,
  SubmitInvitedAnnotationApiResponse,
  SubmitInvitedAnnotationApiArg,
  SaveInvitedDraftApiResponse,
  SaveInvitedDraftApiArg,
  UndoInvitedAnnotationApiResponse,
  UndoInvitedAnnotationApiArg,
  NextAnnotationItemApiResponse,
  NextAnnotationItemApiArg,
  SubmitAnnotationApiResponse,
  SubmitAnnotationApiArg,
  SaveAnnotationDraftApiResponse,
  SaveAnnotationDraftApiArg,
  UndoAnnotationApiResponse,
  UndoAnnotationApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAnnotators: build.query<
      ListAnnotatorsApiResponse,
      ListAnnotatorsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/annotators`,
        params: {
          q: queryArg.q,
          status: queryArg.status,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    createAnnotator: build.mutation<
      CreateAnnotatorApiResponse,
      CreateAnnotatorApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/annotators`,
        method: "POST",
        body: queryArg.annotatorIn,
      }),
    }),
    getAnnotator: build.query<GetAnnotatorApiResponse, GetAnnotatorApiArg>({
      query: (queryArg) => ({
        url: `/v1/annotations/annotators/${encodeURIComponent(String(queryArg.annotatorId))}`,
      }),
    }),
    changeAnnotator: build.mutation<
      ChangeAnnotatorApiResponse,
      ChangeAnnotatorApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/annotators/${encodeURIComponent(String(queryArg.annotatorId))}`,
        method: "PATCH",
        body: queryArg.annotatorPatch,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    listAnnotationTasks: build.query<
      ListAnnotationTasksApiResponse,
      ListAnnotationTasksApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks`,
        params: {
          q: queryArg.q,
          status: queryArg.status,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    createAnnotationTask: build.mutation<
      CreateAnnotationTaskApiResponse,
      CreateAnnotationTaskApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks`,
        method: "POST",
        body: queryArg.annotationTaskIn,
      }),
    }),
    getAnnotationTask: build.query<
      GetAnnotationTaskApiResponse,
      GetAnnotationTaskApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}`,
      }),
    }),
    changeAnnotationTask: build.mutation<
      ChangeAnnotationTaskApiResponse,
      ChangeAnnotationTaskApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}`,
        method: "PATCH",
        body: queryArg.annotationTaskPatch,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deleteAnnotationTask: build.mutation<
      DeleteAnnotationTaskApiResponse,
      DeleteAnnotationTaskApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}`,
        method: "DELETE",
        params: {
          with_labels: queryArg.withLabels,
        },
      }),
    }),
    activateAnnotationTask: build.mutation<
      ActivateAnnotationTaskApiResponse,
      ActivateAnnotationTaskApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/activate`,
        method: "POST",
      }),
    }),
    pauseAnnotationTask: build.mutation<
      PauseAnnotationTaskApiResponse,
      PauseAnnotationTaskApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/pause`,
        method: "POST",
      }),
    }),
    completeAnnotationTask: build.mutation<
      CompleteAnnotationTaskApiResponse,
      CompleteAnnotationTaskApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/complete`,
        method: "POST",
      }),
    }),
    annotationProgress: build.query<
      AnnotationProgressApiResponse,
      AnnotationProgressApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/progress`,
        params: {
          consensus_threshold: queryArg.consensusThreshold,
          method: queryArg.method,
        },
      }),
    }),
    listAnnotationItems: build.query<
      ListAnnotationItemsApiResponse,
      ListAnnotationItemsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/items`,
        params: {
          only: queryArg.only,
          consensus_threshold: queryArg.consensusThreshold,
          method: queryArg.method,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    decideAnnotationItem: build.mutation<
      DecideAnnotationItemApiResponse,
      DecideAnnotationItemApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/items/${encodeURIComponent(String(queryArg.itemId))}/decision`,
        method: "PUT",
        body: queryArg.decision,
      }),
    }),
    withdrawDecision: build.mutation<
      WithdrawDecisionApiResponse,
      WithdrawDecisionApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/items/${encodeURIComponent(String(queryArg.itemId))}/decision`,
        method: "DELETE",
      }),
    }),
    exportAnnotations: build.mutation<
      ExportAnnotationsApiResponse,
      ExportAnnotationsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/export`,
        method: "POST",
        body: queryArg.exportIn,
      }),
    }),
    downloadAnnotations: build.query<
      DownloadAnnotationsApiResponse,
      DownloadAnnotationsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/export`,
        params: {
          format: queryArg.format,
          consensus_threshold: queryArg.consensusThreshold,
          method: queryArg.method,
        },
      }),
    }),
    makeVersionFromConsensus: build.mutation<
      MakeVersionFromConsensusApiResponse,
      MakeVersionFromConsensusApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/dataset-version`,
        method: "POST",
        body: queryArg.versionFromConsensus,
      }),
    }),
    listAnnotationInvitations: build.query<
      ListAnnotationInvitationsApiResponse,
      ListAnnotationInvitationsApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/invitations`,
      }),
    }),
    inviteAnnotator: build.mutation<
      InviteAnnotatorApiResponse,
      InviteAnnotatorApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/invitations`,
        method: "POST",
        body: queryArg.annotationInvitationIn,
      }),
    }),
    revokeAnnotationInvitation: build.mutation<
      RevokeAnnotationInvitationApiResponse,
      RevokeAnnotationInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/invitations/${encodeURIComponent(String(queryArg.invitationId))}`,
        method: "DELETE",
      }),
    }),
    listWork: build.query<ListWorkApiResponse, ListWorkApiArg>({
      query: (queryArg) => ({
        url: `/v1/annotations/work`,
        params: {
          annotator_id: queryArg.annotatorId,
        },
      }),
    }),
    readAnnotationInvitation: build.query<
      ReadAnnotationInvitationApiResponse,
      ReadAnnotationInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/invited`,
        headers: {
          "Llmbench-Invitation": queryArg["Llmbench-Invitation"],
        },
      }),
    }),
    nextInvitedItem: build.query<
      NextInvitedItemApiResponse,
      NextInvitedItemApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/invited/next`,
        headers: {
          "Llmbench-Invitation": queryArg["Llmbench-Invitation"],
        },
      }),
    }),
    submitInvitedAnnotation: build.mutation<
      SubmitInvitedAnnotationApiResponse,
      SubmitInvitedAnnotationApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/invited/items/${encodeURIComponent(String(queryArg.itemId))}`,
        method: "POST",
        body: queryArg.annotationIn,
        headers: {
          "Llmbench-Invitation": queryArg["Llmbench-Invitation"],
        },
      }),
    }),
    saveInvitedDraft: build.mutation<
      SaveInvitedDraftApiResponse,
      SaveInvitedDraftApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/invited/items/${encodeURIComponent(String(queryArg.itemId))}/draft`,
        method: "PUT",
        body: queryArg.draft,
        headers: {
          "Llmbench-Invitation": queryArg["Llmbench-Invitation"],
        },
      }),
    }),
    undoInvitedAnnotation: build.mutation<
      UndoInvitedAnnotationApiResponse,
      UndoInvitedAnnotationApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/invited/undo`,
        method: "POST",
        headers: {
          "Llmbench-Invitation": queryArg["Llmbench-Invitation"],
        },
      }),
    }),
    nextAnnotationItem: build.query<
      NextAnnotationItemApiResponse,
      NextAnnotationItemApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/next`,
        params: {
          annotator_id: queryArg.annotatorId,
        },
      }),
    }),
    submitAnnotation: build.mutation<
      SubmitAnnotationApiResponse,
      SubmitAnnotationApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/items/${encodeURIComponent(String(queryArg.itemId))}`,
        method: "POST",
        body: queryArg.annotationIn,
        params: {
          annotator_id: queryArg.annotatorId,
        },
      }),
    }),
    saveAnnotationDraft: build.mutation<
      SaveAnnotationDraftApiResponse,
      SaveAnnotationDraftApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/items/${encodeURIComponent(String(queryArg.itemId))}/draft`,
        method: "PUT",
        body: queryArg.draft,
        params: {
          annotator_id: queryArg.annotatorId,
        },
      }),
    }),
    undoAnnotation: build.mutation<
      UndoAnnotationApiResponse,
      UndoAnnotationApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/annotations/tasks/${encodeURIComponent(String(queryArg.taskId))}/undo`,
        method: "POST",
        params: {
          annotator_id: queryArg.annotatorId,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const {
  useListAnnotatorsQuery,
  useCreateAnnotatorMutation,
  useGetAnnotatorQuery,
  useChangeAnnotatorMutation,
  useListAnnotationTasksQuery,
  useCreateAnnotationTaskMutation,
  useGetAnnotationTaskQuery,
  useChangeAnnotationTaskMutation,
  useDeleteAnnotationTaskMutation,
  useActivateAnnotationTaskMutation,
  usePauseAnnotationTaskMutation,
  useCompleteAnnotationTaskMutation,
  useAnnotationProgressQuery,
  useListAnnotationItemsQuery,
  useDecideAnnotationItemMutation,
  useWithdrawDecisionMutation,
  useExportAnnotationsMutation,
  useDownloadAnnotationsQuery,
  useMakeVersionFromConsensusMutation,
  useListAnnotationInvitationsQuery,
  useInviteAnnotatorMutation,
  useRevokeAnnotationInvitationMutation,
  useListWorkQuery,
  useReadAnnotationInvitationQuery,
  useNextInvitedItemQuery,
  useSubmitInvitedAnnotationMutation,
  useSaveInvitedDraftMutation,
  useUndoInvitedAnnotationMutation,
  useNextAnnotationItemQuery,
  useSubmitAnnotationMutation,
  useSaveAnnotationDraftMutation,
  useUndoAnnotationMutation,
} = injectedRtkApi;
