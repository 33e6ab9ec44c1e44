import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "runs",
    path: "/runs",
    page: () => import("./list/RunsPage"),
    navigation: { label: "Runs", position: 5, also: "/compare" },
    live: true,
    shows: "main table a",
    picture: true,
  },
  {
    name: "run",
    path: "/runs/:runId",
    page: () => import("./run/RunPage"),
    live: true,
    shows: 'role=table[name="Items"] >> role=link',
    picture: true,
  },
  {
    name: "new-run",
    path: "/runs/new",
    page: () => import("./new/NewRunPage"),
    example: "clone=:runId",
    shows: "text=From earlier runs of",
    picture: true,
  },
];
