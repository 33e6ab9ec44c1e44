import type { Screen } from "@/lib/screen";

const editor = () => import("./edit/EditorPage");

export const screens: readonly Screen[] = [
  {
    name: "experiments",
    path: "/experiments",
    right: "experiments:read",
    page: () => import("./list/ExperimentsPage"),
    navigation: { label: "Experiments", area: "runs", position: 4, key: "x" },
    live: true,
    shows: "main table a",
  },
  { name: "experiment-new", path: "/experiments/new", right: "experiments:create", page: editor, shows: 'role=button[name="Save the draft"]' },
  { name: "experiment-edit", path: "/experiments/:draftId/edit", right: "experiments:update", page: editor, shows: 'role=button[name="Start the experiment"]' },
  {
    name: "experiment",
    path: "/experiments/:experimentId",
    right: "experiments:read",
    page: () => import("./view/ExperimentPage"),
    live: true,
    shows: 'role=heading[name="Variants"]',
  },
];
