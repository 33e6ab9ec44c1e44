import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "presets",
    path: "/presets",
    right: "presets:read",
    page: () => import("./PresetsPage"),
    navigation: { label: "Presets", area: "suites", position: 2, key: "e" },
    shows: "main table a",
  },
  { name: "preset", path: "/presets/:presetId", right: "presets:read", page: () => import("./PresetPage"), shows: 'role=heading[name="Baselines"]' },
];
