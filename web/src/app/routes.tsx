/** Every address of the app; each screen is a chunk of its own. */

import { Navigate, type RouteObject } from "react-router";
import { NotFound } from "./NotFound";
import { RouteError } from "./RouteError";
import { Shell } from "./Shell";

export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteError />,
    // Nothing for the moment in which the first screen's code loads: a flash would be worse.
    hydrateFallbackElement: <></>,
    children: [
      { path: "/", element: <Navigate to="/runs" replace /> },
      {
        lazy: async () => ({ Component: (await import("./Live")).default }),
        children: [
          { path: "/runs", lazy: async () => ({ Component: (await import("@/features/runs/list/RunsPage")).default }) },
          { path: "/runs/:runId", lazy: async () => ({ Component: (await import("@/features/runs/run/RunPage")).default }) },
        ],
      },
      { path: "/runs/new", lazy: async () => ({ Component: (await import("@/features/runs/new/NewRunPage")).default }) },
      { path: "/compare", lazy: async () => ({ Component: (await import("@/features/compare/ComparePage")).default }) },
      { path: "/providers", lazy: async () => ({ Component: (await import("@/features/providers/list/ProvidersPage")).default }) },
      { path: "/providers/new", lazy: async () => ({ Component: (await import("@/features/providers/form/ProviderFormPage")).default }) },
      { path: "/providers/:providerId", lazy: async () => ({ Component: (await import("@/features/providers/form/ProviderFormPage")).default }) },
      { path: "/tasks", lazy: async () => ({ Component: (await import("@/features/tasks/list/TasksPage")).default }) },
      { path: "/tasks/new", lazy: async () => ({ Component: (await import("@/features/tasks/form/TaskFormPage")).default }) },
      { path: "/tasks/import", lazy: async () => ({ Component: (await import("@/features/tasks/transfer/ImportPage")).default }) },
      { path: "/tasks/:taskId", lazy: async () => ({ Component: (await import("@/features/tasks/form/TaskFormPage")).default }) },
      { path: "/collections", lazy: async () => ({ Component: (await import("@/features/collections/CollectionsPage")).default }) },
      { path: "/collections/:collectionId", lazy: async () => ({ Component: (await import("@/features/collections/CollectionPage")).default }) },
      { path: "/datasets", lazy: async () => ({ Component: (await import("@/features/datasets/list/DatasetsPage")).default }) },
      { path: "/datasets/:datasetId", lazy: async () => ({ Component: (await import("@/features/datasets/dataset/DatasetPage")).default }) },
      { path: "/datasets/:datasetId/upload", lazy: async () => ({ Component: (await import("@/features/datasets/upload/UploadPage")).default }) },
      { path: "/datasets/:datasetId/versions/:versionNumber", lazy: async () => ({ Component: (await import("@/features/datasets/version/VersionPage")).default }) },
      { path: "/documents", lazy: async () => ({ Component: (await import("@/features/documents/DocumentsPage")).default }) },
      { path: "/documents/:documentId", lazy: async () => ({ Component: (await import("@/features/documents/DocumentPage")).default }) },
      { path: "*", element: <NotFound /> },
    ],
  },
];
