import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  { name: "documents", path: "/documents", page: () => import("./DocumentsPage"), shows: 'role=list[name="Documents"]' },
  { name: "document", path: "/documents/:documentId", page: () => import("./DocumentPage"), shows: 'role=list[name="Pages"]' },
];
