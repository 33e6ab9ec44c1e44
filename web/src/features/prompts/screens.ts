import type { Screen } from "@/lib/screen";

const editor = () => import("./edit/PromptEditorPage");

export const screens: readonly Screen[] = [
  {
    name: "prompts",
    path: "/prompts",
    right: "prompts:read",
    page: () => import("./PromptsPage"),
    navigation: { label: "Prompts", area: "data", position: 5, key: "m" },
    shows: "main table a",
  },
  { name: "prompt-new", path: "/prompts/new", right: "prompts:create", page: editor, shows: 'role=button[name="Create the prompt"]' },
  { name: "prompt-edit", path: "/prompts/:promptId/edit", right: "prompts:create", page: editor, shows: 'role=button[name="Save as version 3"]', picture: true },
  { name: "prompt", path: "/prompts/:promptId", right: "prompts:read", page: () => import("./PromptPage"), example: "against=1", shows: 'role=heading[name="Changes from version 1 to version 2"]', picture: true },
];
