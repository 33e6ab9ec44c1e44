import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "compare",
    path: "/compare",
    right: "runs:read",
    page: () => import("./ComparePage"),
    example: "run=:runId",
    shows: 'main a[href*="case="]',
  },
];
