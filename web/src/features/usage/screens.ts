import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [{ name: "usage", path: "/usage", page: () => import("./UsagePage"), shows: "main dl" }];
