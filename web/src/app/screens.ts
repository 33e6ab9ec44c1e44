/** Every screen, collected from the folders of the features. */

import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = Object.values(import.meta.glob<readonly Screen[]>("../features/*/screens.ts", { eager: true, import: "screens" })).flat();

/** The entries of the main navigation, in their order. */
export const places = screens
  .flatMap(({ path, navigation }) => (navigation ? [{ to: path, ...navigation }] : []))
  .toSorted((one, other) => one.position - other.position);
