/** Addresses of earlier versions, which may be bookmarked: each leads to the screen that took its place. */

import { Navigate, useParams, type RouteObject } from "react-router";

function Upload() {
  const { datasetId = "" } = useParams();
  return <Navigate to={`/import?${new URLSearchParams({ to: "dataset", dataset: datasetId })}`} replace />;
}

export const oldAddresses: RouteObject[] = [
  { path: "/tasks/import", element: <Navigate to="/import?to=tasks" replace /> },
  { path: "/datasets/:datasetId/upload", Component: Upload },
];
