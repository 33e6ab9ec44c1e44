import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "collections",
    path: "/collections",
    right: "collections:read",
    page: () => import("./CollectionsPage"),
    navigation: { label: "Collections", area: "data", position: 2, key: "c" },
    shows: "main table a",
  },
  {
    name: "collection",
    path: "/collections/:collectionId",
    right: "collections:read",
    page: () => import("./CollectionPage"),
    shows: 'role=region[name="In this collection"] >> role=checkbox',
  },
];
