/** All screens of the features. */

import { readdirSync } from "node:fs";
import { withViews, type Screen } from "../src/lib/screen";

const FEATURES = new URL("../src/features/", import.meta.url);

const modules = await Promise.all(
  readdirSync(FEATURES).map((feature) => import(new URL(`${feature}/screens.ts`, FEATURES).href) as Promise<{ screens: readonly Screen[] }>),
);

export const screens: readonly Screen[] = modules.flatMap((module) => module.screens.flatMap(withViews));
