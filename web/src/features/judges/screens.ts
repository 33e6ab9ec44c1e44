import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "judges",
    path: "/judges",
    right: "runs:read",
    page: () => import("./JudgesPage"),
    navigation: { label: "Judges", area: "runs", position: 6, key: "j" },
    shows: "main h1",
  },
];
