import type { Screen } from "@/lib/screen";

const form = () => import("./form/TaskFormPage");

export const screens: readonly Screen[] = [
  {
    name: "tasks",
    path: "/tasks",
    right: "tasks:read",
    page: () => import("./list/TasksPage"),
    navigation: { label: "Tasks", area: "data", position: 1, key: "t", also: "/import" },
    shows: "main table a",
    picture: true,
  },
  { name: "task-new", path: "/tasks/new", right: "tasks:create", page: form, shows: "main form" },
  { name: "task", path: "/tasks/:taskId", right: "tasks:read", page: form, shows: "main form" },
];
