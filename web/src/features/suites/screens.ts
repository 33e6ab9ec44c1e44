import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  { name: "suites", path: "/suites", right: "suites:read", page: () => import("./SuitesPage"), shows: "main table a" },
  { name: "suite", path: "/suites/:suiteId", right: "suites:read", page: () => import("./SuitePage"), shows: 'role=list[name="Tasks by level"]' },
  { name: "leaderboard", path: "/suites/:suiteId/leaderboard", right: "runs:read", page: () => import("./leaderboard/LeaderboardPage"), shows: 'role=heading[name="No finished run fits"]' },
];
