import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "schedules",
    path: "/runs/schedules",
    right: "runs:read",
    page: () => import("./SchedulesPage"),
    navigation: { label: "Schedules", area: "runs", position: 2, key: "h" },
    shows: "main table a",
  },
  { name: "schedule", path: "/runs/schedules/:scheduleId", right: "runs:read", page: () => import("./SchedulePage"), shows: 'role=region[name="Next times"] >> li' },
];
