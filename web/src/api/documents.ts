/** Documents as the app uses them: the generated client plus cache tags, and a file as a form. */

import type { DocumentOut } from "./generated/config-api";
import { configApi as generated } from "./generated/config-api/documents";

export const DOCUMENTS_PER_PAGE = 50;
export const PAGES_PER_PAGE = 10;
export const MOST_DOCUMENT_BYTES = 50 * 1024 * 1024;

const documentsApi = generated
  .enhanceEndpoints({
    addTagTypes: ["DocumentList", "DatasetList", "Dataset"],
    endpoints: {
      listDocuments: { providesTags: ["DocumentList"] },
      // The deleted document's own tag stays valid: refetching it would answer 404.
      deleteDocument: { invalidatesTags: (_result, error) => (error ? [] : ["DocumentList"]) },
      publishDocumentAsDataset: { invalidatesTags: (result) => (result ? ["DatasetList", { type: "Dataset", id: result.version.dataset_id }] : []) },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      /** `POST /v1/documents` with a form, which the generated client does not support. */
      sendDocument: build.mutation<DocumentOut, { file: File; name: string }>({
        query: ({ file, name }) => {
          const body = new FormData();
          body.append("file", file, file.name);
          if (name.trim() !== "") body.append("name", name.trim());
          return { url: "/v1/documents", method: "POST", body };
        },
        invalidatesTags: (_result, error) => (error ? [] : ["DocumentList"]),
      }),
    }),
  });

export const {
  useListDocumentsQuery,
  useGetDocumentQuery,
  useListDocumentPagesQuery,
  useSendDocumentMutation,
  useDeleteDocumentMutation,
  usePublishDocumentAsDatasetMutation,
} = documentsApi;
