import type { Screen } from "@/lib/screen";

const editor = () => import("./edit/SuiteEditorPage");

export const screens: readonly Screen[] = [
  {
    name: "suites",
    path: "/suites",
    right: "suites:read",
    page: () => import("./SuitesPage"),
    navigation: { label: "Suites", area: "suites", position: 1, key: "s" },
    shows: "main table a",
  },
  { name: "suite-new", path: "/suites/new", right: "suites:create", page: editor, shows: 'role=button[name="Create the draft"]' },
  { name: "suite-edit", path: "/suites/:suiteId/edit", right: "suites:update", page: editor, shows: 'role=list[name="Tasks by level"]' },
  { name: "suite", path: "/suites/:suiteId", right: "suites:read", page: () => import("./SuitePage"), shows: 'role=list[name="Tasks by level"]' },
  { name: "leaderboard", path: "/suites/:suiteId/leaderboard", right: "runs:read", page: () => import("./leaderboard/LeaderboardPage"), shows: 'role=heading[name="No finished run fits"]' },
];
