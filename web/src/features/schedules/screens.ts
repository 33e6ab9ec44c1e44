import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  { name: "schedules", path: "/runs/schedules", page: () => import("./SchedulesPage"), shows: "main table a" },
  { name: "schedule", path: "/runs/schedules/:scheduleId", page: () => import("./SchedulePage"), shows: 'role=region[name="Next times"] >> li' },
];
