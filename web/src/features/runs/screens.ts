import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "runs",
    path: "/runs",
    right: "runs:read",
    page: () => import("./list/RunsPage"),
    navigation: { label: "Runs", area: "runs", position: 1, key: "r", also: "/compare" },
    live: true,
    shows: "main table a",
    picture: true,
  },
  {
    name: "run",
    path: "/runs/:runId",
    right: "runs:read",
    page: () => import("./run/RunPage"),
    live: true,
    shows: 'role=group[name="Results by evaluator"]',
    picture: true,
    views: [
      { name: "run-breakdown", path: "breakdown", shows: 'role=region[name="Breakdown"] >> role=row', picture: true },
      { name: "run-items", path: "items", shows: 'role=table[name="Items"] >> role=link', picture: true },
      { name: "run-read", path: "read", shows: 'role=list[name="Answers"] >> role=listitem', picture: true },
      { name: "run-failures", path: "failures", shows: 'role=heading[name="Failures"]' },
      { name: "run-log", path: "log", shows: "role=log", picture: true },
    ],
  },
  {
    name: "new-run",
    path: "/runs/new",
    right: "runs:create",
    page: () => import("./new/NewRunPage"),
    example: "clone=:runId",
    shows: "text=From earlier runs of",
    picture: true,
  },
  { name: "shared-report", path: "/shared-report", page: () => import("./share/SharedReportPage"), bare: true, shows: "main h1" },
];
