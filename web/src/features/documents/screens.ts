import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "documents",
    path: "/documents",
    right: "documents:read",
    page: () => import("./DocumentsPage"),
    navigation: { label: "Documents", area: "data", position: 4, key: "o" },
    shows: 'role=list[name="Documents"]',
  },
  { name: "document", path: "/documents/:documentId", right: "documents:read", page: () => import("./DocumentPage"), shows: 'role=list[name="Pages"]' },
];
