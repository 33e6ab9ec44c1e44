import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "usage",
    path: "/usage",
    right: "usage:read",
    page: () => import("./UsagePage"),
    navigation: { label: "Usage", area: "settings", position: 2, key: "u" },
    shows: "main dl",
  },
];
