/** The rights of the person who has signed in. Buttons, menus, shortcuts and screens name the right that they need. */

import type { SessionOut } from "@/api/generated/identity";
import { useValue } from "@/live/hooks";
import { ValueStore } from "@/live/observable";

/** A pair `resource:verb`, as the operations of the APIs name it in `x-access`. */
export type Right = NonNullable<SessionOut["allowed"]>[number];

/** `null` until the session was read: see api/session. */
export const session = new ValueStore<SessionOut | null>(null);

/** Return whether the person may do it. Without sign-in everybody may do everything. */
export const allows = (known: SessionOut | null, right: Right | undefined): boolean =>
  right === undefined || known?.auth !== "on" || (known.allowed?.includes(right) ?? false);

export const useMay = (right: Right | undefined): boolean => allows(useValue(session), right);
