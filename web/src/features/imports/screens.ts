import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  { name: "import", path: "/import", right: "tasks:create", page: () => import("./ImportPage"), shows: "text=Drop a file here" },
];
