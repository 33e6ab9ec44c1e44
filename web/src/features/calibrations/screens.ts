import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "calibrations",
    path: "/calibrations",
    right: "annotation-tasks:read",
    page: () => import("./list/CalibrationsPage"),
    navigation: { label: "Calibrations", area: "data", position: 7, key: "b" },
    shows: "main table a",
  },
  { name: "calibration-new", path: "/calibrations/new", right: "annotation-tasks:create", page: () => import("./new/NewCalibrationPage"), shows: 'role=button[name="Measure the judge"]' },
  { name: "calibration", path: "/calibrations/:calibrationId", right: "annotation-tasks:read", page: () => import("./view/CalibrationPage"), shows: 'role=heading[name="Judge and people"]' },
];
