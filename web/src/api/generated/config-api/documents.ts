import { baseApi as api } from "../../base-api";
import type {
  PublishDocumentAsDatasetApiResponse,
  PublishDocumentAsDatasetApiArg,
  ListDocumentsApiResponse,
  ListDocumentsApiArg,
  AddDocumentApiResponse,
  AddDocumentApiArg,
  GetDocumentApiResponse,
  GetDocumentApiArg,
  DeleteDocumentApiResponse,
  DeleteDocumentApiArg,
  ListDocumentPagesApiResponse,
  ListDocumentPagesApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    publishDocumentAsDataset: build.mutation<
      PublishDocumentAsDatasetApiResponse,
      PublishDocumentAsDatasetApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/documents/${encodeURIComponent(String(queryArg.documentId))}/publish`,
        method: "POST",
        body: queryArg.publishDocument,
      }),
    }),
    listDocuments: build.query<ListDocumentsApiResponse, ListDocumentsApiArg>({
      query: (queryArg) => ({
        url: `/v1/documents`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          q: queryArg.q,
          name: queryArg.name,
        },
      }),
    }),
    addDocument: build.mutation<AddDocumentApiResponse, AddDocumentApiArg>({
      query: (queryArg) => ({
        url: `/v1/documents`,
        method: "POST",
        body: queryArg.body,
      }),
    }),
    getDocument: build.query<GetDocumentApiResponse, GetDocumentApiArg>({
      query: (queryArg) => ({
        url: `/v1/documents/${encodeURIComponent(String(queryArg.documentId))}`,
      }),
    }),
    deleteDocument: build.mutation<
      DeleteDocumentApiResponse,
      DeleteDocumentApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/documents/${encodeURIComponent(String(queryArg.documentId))}`,
        method: "DELETE",
      }),
    }),
    listDocumentPages: build.query<
      ListDocumentPagesApiResponse,
      ListDocumentPagesApiArg
    >({
      query: (queryArg) => ({
        url: `/v1/documents/${encodeURIComponent(String(queryArg.documentId))}/pages`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const {
  usePublishDocumentAsDatasetMutation,
  useListDocumentsQuery,
  useAddDocumentMutation,
  useGetDocumentQuery,
  useDeleteDocumentMutation,
  useListDocumentPagesQuery,
} = injectedRtkApi;
