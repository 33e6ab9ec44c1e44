import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  {
    name: "playground",
    path: "/playground",
    right: "runs:create",
    page: () => import("./PlaygroundPage"),
    navigation: { label: "Playground", area: "runs", position: 5, key: "y" },
    live: true,
    example: "run=:questionId",
    shows: 'role=list[name="Answers"] >> role=listitem',
    picture: true,
  },
];
