import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [{ name: "trends", path: "/trends", page: () => import("./TrendsPage"), shows: "main h1" }];
