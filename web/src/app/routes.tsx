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
      { path: "*", element: <NotFound /> },
    ],
  },
];
