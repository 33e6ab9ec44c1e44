/** Every address of the app; each screen is a chunk of its own. */

import type { RouteObject } from "react-router";
import type { Screen } from "@/lib/screen";
import { oldAddresses } from "./old-addresses";
import { RouteError } from "./RouteError";
import { screens } from "./screens";
import { Shell } from "./Shell";

/** Make a screen a route. One that needs a right waits until it is known who has signed in. */
const toRoute = ({ path, page, right, views }: Screen): RouteObject => ({
  path: views ? `${path}/:view?` : path,
  lazy: async () => {
    if (right === undefined) return { Component: (await page()).default };
    const [{ default: Page }, { guarded }] = await Promise.all([page(), import("./guard").then(async (guard) => (await guard.sessionRead(), guard))]);
    return { Component: guarded(Page, right) };
  },
});

const stored = async () => ({ Component: (await import("./Stored")).default });

/** Vite replaces `DEV` by false in a production build, which then leaves the page out. */
const development: RouteObject[] = import.meta.env.DEV ? [{ path: "/dev/components", lazy: async () => ({ Component: (await import("@/dev/ComponentsPage")).default }) }] : [];

export const routes: RouteObject[] = [
  ...development,
  { lazy: stored, children: screens.filter(({ bare }) => bare).map(toRoute) },
  {
    element: <Shell />,
    errorElement: <main><RouteError /></main>,
    // Render nothing while the first screen's code loads: a flash would be worse.
    hydrateFallbackElement: <></>,
    children: [
      {
        // Within the shell: an error of one page keeps the navigation.
        errorElement: <RouteError />,
        lazy: stored,
        children: [
          { path: "/", lazy: async () => ({ Component: (await import("./guard")).Landing }) },
          {
            lazy: async () => ({ Component: (await import("./Live")).default }),
            children: screens.filter(({ live }) => live).map(toRoute),
          },
          ...screens.filter(({ live, bare }) => !live && !bare).map(toRoute),
          ...oldAddresses,
          { path: "*", lazy: async () => ({ Component: (await import("./NotFound")).default }) },
        ],
      },
    ],
  },
];
