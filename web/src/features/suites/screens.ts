import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "suites",
    path: "/suites",
    right: "suites:read",
    page: () => import("./SuitesPage"),
    navigation: { label: "Suites", area: "suites", position: 1, key: "s" },
    shows: "main table a",
  },
  { name: "suite", path: "/suites/:suiteId", right: "suites:read", page: () => import("./SuitePage"), shows: 'role=list[name="Tasks by level"]' },
];
