/** A screen of the app: its feature describes it once; routes, navigation, the axe test and the pictures of docs/screens follow. */

import type { ComponentType } from "react";
import type { Right } from "./rights";

/** The areas of the app, in the order of the main navigation. Each leads to the first of its entries. */
export const AREAS = { runs: "Runs", suites: "Suites", data: "Data", settings: "Settings" } as const;

export interface Navigation {
  label: string;
  /** Entries of one area share a line below the main navigation. */
  area: keyof typeof AREAS;
  /** Entries of an area are ordered by position. */
  position: number;
  /** The letter that leads here after `g`. */
  key?: string;
  /** A path outside the entry's own on which it is current, too. */
  also?: string;
  /** The right that the entry needs, if the screen itself explains what is missing. */
  right?: Right;
  /** The entry makes sense only where people sign in. */
  signIn?: true;
}

export interface Screen {
  /** Unique: the file name of its picture, and its name in test reports. */
  name: string;
  /** The path; tests fill its parameters with sample ids of the same name. */
  path: string;
  page: () => Promise<{ default: ComponentType }>;
  /** Further addresses of the same page, one segment below its path. The page stays mounted when they change. */
  views?: readonly ScreenView[];
  /** The right that the screen needs: others see an explanation, and no entry in the navigation. */
  right?: Right;
  /** An entry of the navigation. */
  navigation?: Navigation;
  /** The screen follows runs over the live connection. */
  live?: true;
  /** The screen stands alone, without the navigation, because it comes before the sign-in. */
  bare?: true;
  /** The query string of the example that tests open; filled like the path. */
  example?: string;
  /** A Playwright selector of something that is visible once the data has loaded. */
  shows: string;
  /** The screen has a picture in docs/screens. */
  picture?: true;
}

/** A view of a screen: `path` is the segment below the screen's path. */
export interface ScreenView extends Pick<Screen, "name" | "path" | "shows" | "picture"> {
  example?: string;
}

/** Return a screen and its views as screens of their own, for tests that open each address. */
export function withViews(screen: Screen): Screen[] {
  return [screen, ...(screen.views ?? []).map((view) => ({ ...view, path: `${screen.path}/${view.path}`, page: screen.page }))];
}

/** Return the address of the example: `:runId` and the like are replaced by the ids of the same name. */
export function exampleUrl({ name, path, example }: Pick<Screen, "name" | "path" | "example">, ids: Readonly<Record<string, string>>): string {
  return (example ? `${path}?${example}` : path).replace(/:(\w+)/g, (_, key: string) => {
    const id = ids[key];
    if (id === undefined) throw new Error(`The example of the screen "${name}" needs an id that is not there: ${key}`);
    return encodeURIComponent(id);
  });
}
