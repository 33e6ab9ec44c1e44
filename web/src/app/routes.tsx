/** Every address of the app; each screen is a chunk of its own. */

import { Navigate, type RouteObject } from "react-router";
import type { Screen } from "@/lib/screen";
import { RouteError } from "./RouteError";
import { screens } from "./screens";
import { Shell } from "./Shell";

const toRoute = ({ path, page }: Screen): RouteObject => ({ path, lazy: async () => ({ Component: (await page()).default }) });

export const routes: RouteObject[] = [
  ...screens.filter(({ bare }) => bare).map(toRoute),
  {
    element: <Shell />,
    errorElement: <main><RouteError /></main>,
    // Render nothing while the first screen's code loads: a flash would be worse.
    hydrateFallbackElement: <></>,
    children: [
      {
        // Within the shell: an error of one page keeps the navigation.
        errorElement: <RouteError />,
        children: [
          { path: "/", element: <Navigate to="/runs" replace /> },
          {
            lazy: async () => ({ Component: (await import("./Live")).default }),
            children: screens.filter(({ live }) => live).map(toRoute),
          },
          ...screens.filter(({ live, bare }) => !live && !bare).map(toRoute),
          { path: "*", lazy: async () => ({ Component: (await import("./NotFound")).default }) },
        ],
      },
    ],
  },
];
