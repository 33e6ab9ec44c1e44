import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "datasets",
    path: "/datasets",
    right: "datasets:read",
    page: () => import("./list/DatasetsPage"),
    navigation: { label: "Datasets", area: "data", position: 3, key: "d" },
    shows: "main table a",
    picture: true,
  },
  {
    name: "dataset",
    path: "/datasets/:datasetId",
    right: "datasets:read",
    page: () => import("./dataset/DatasetPage"),
    shows: 'role=link[name="Version 1"]',
    picture: true,
  },
  {
    name: "dataset-version",
    path: "/datasets/:datasetId/versions/:versionNumber",
    right: "datasets:read",
    page: () => import("./version/VersionPage"),
    shows: 'role=table[name="Cases"]',
    picture: true,
  },
];
