import type { Screen } from "@/lib/screen";

const form = () => import("./form/TaskFormPage");

export const screens: readonly Screen[] = [
  {
    name: "tasks",
    path: "/tasks",
    page: () => import("./list/TasksPage"),
    navigation: { label: "Tasks", position: 2 },
    shows: "main table a",
    picture: true,
  },
  { name: "task-new", path: "/tasks/new", page: form, shows: "main form" },
  { name: "task-import", path: "/tasks/import", page: () => import("./transfer/ImportPage"), shows: "main h1" },
  { name: "task", path: "/tasks/:taskId", page: form, shows: "main form" },
];
