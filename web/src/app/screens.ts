/** Every screen, collected from the folders of the features. */

import { allows, session } from "@/lib/rights";
import type { Screen } from "@/lib/screen";
import { useValue } from "@/live/hooks";

export const screens: readonly Screen[] = Object.values(import.meta.glob<readonly Screen[]>("../features/*/screens.ts", { eager: true, import: "screens" })).flat();

/** The entries of the main navigation, in their order. */
export const places = screens
  .flatMap(({ path, right, navigation }) => (navigation ? [{ to: path, right, ...navigation }] : []))
  .toSorted((one, other) => one.position - other.position);

/** Return the entries of the main navigation that the role allows. */
export function usePlaces() {
  const known = useValue(session);
  return places.filter(({ right }) => allows(known, right));
}
