import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "trends",
    path: "/trends",
    right: "runs:read",
    page: () => import("./TrendsPage"),
    navigation: { label: "Trends", area: "runs", position: 3, key: "n" },
    shows: "main h1",
  },
];
