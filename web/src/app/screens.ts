/** Every screen, collected from the folders of the features. */

import { allows, session } from "@/lib/rights";
import { AREAS, type Screen } from "@/lib/screen";
import { useValue } from "@/live/hooks";

export const screens: readonly Screen[] = Object.values(import.meta.glob<readonly Screen[]>("../features/*/screens.ts", { eager: true, import: "screens" })).flat();

const order = Object.keys(AREAS);

/** The entries of the navigation, by area and position. */
export const places = screens
  .flatMap(({ path, right, navigation }) => (navigation ? [{ to: path, right, ...navigation }] : []))
  .toSorted((one, other) => order.indexOf(one.area) - order.indexOf(other.area) || one.position - other.position);

export type Place = (typeof places)[number];

/** Return the entries of the navigation that the role allows. */
export function usePlaces(): Place[] {
  const known = useValue(session);
  return places.filter(({ right, signIn }) => allows(known, right) && (!signIn || known?.auth === "on"));
}

const isWithin = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`);

/** Return the entry that a page belongs to: the one with the longest path, as schedules lie below the runs. */
export function placeOf(pathname: string, among: readonly Place[] = places): Place | undefined {
  return among
    .flatMap((place) => [place.to, place.also].filter((path) => path !== undefined && isWithin(pathname, path)).map((path) => ({ place, length: path!.length })))
    .toSorted((one, other) => other.length - one.length)[0]?.place;
}
