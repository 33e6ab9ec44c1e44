/** The actions of the current screen that the command palette offers and that have no key. */

import { useEffect, useEffectEvent } from "react";
import type { IconName } from "@/components/Icon";
import { ValueStore } from "@/live/observable";
import { useMay, type Right } from "./rights";

export interface Command {
  label: string;
  /** The things that the action affects, such as a number of items. */
  detail?: string;
  /** Other words by which people search for the action. */
  also?: string;
  icon: IconName;
  /** The right that the action needs. */
  right?: Right;
  run: () => void;
}

export const commands = new ValueStore<readonly Command[]>([]);

/** Offer an action in the command palette as long as the component is mounted and `command` is not null. */
export function useCommand(command: Command | null): void {
  const may = useMay(command?.right);
  const run = useEffectEvent(() => command?.run());
  const { label, detail, also, icon } = command ?? {};
  useEffect(() => {
    if (!may || label === undefined || icon === undefined) return;
    const offered: Command = { label, icon, ...(detail !== undefined && { detail }), ...(also !== undefined && { also }), run: () => run() };
    commands.set([...commands.get(), offered]);
    return () => commands.set(commands.get().filter((one) => one !== offered));
  }, [may, label, detail, also, icon]);
}
