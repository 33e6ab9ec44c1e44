import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "annotation",
    path: "/annotation",
    right: "annotation-tasks:read",
    page: () => import("./list/TasksPage"),
    navigation: { label: "Annotation", area: "data", position: 5, key: "a" },
    shows: "main table a",
    picture: true,
  },
  {
    name: "annotation-work",
    path: "/annotation/work",
    right: "annotations:read",
    page: () => import("./work/WorkListPage"),
    navigation: { label: "To label", area: "data", position: 6, key: "l" },
    shows: "main h1",
  },
  { name: "annotation-new", path: "/annotation/new", right: "annotation-tasks:create", page: () => import("./new/NewTaskPage"), shows: 'role=button[name="Create the draft"]', picture: true },
  { name: "annotation-task", path: "/annotation/:annotationId", right: "annotation-tasks:read", page: () => import("./task/TaskPage"), shows: 'role=heading[name="Agreement"]', picture: true },
  { name: "annotation-label", path: "/annotation/:annotationId/label", right: "annotations:create", page: () => import("./work/LabelPage"), shows: "main h1" },
  { name: "annotation-decide", path: "/annotation/:annotationId/decide", right: "annotation-tasks:update", page: () => import("./decide/DecidePage"), shows: "main h1" },
  { name: "annotation-invited", path: "/annotate", page: () => import("./invited/InvitedPage"), bare: true, shows: "main h1" },
];
