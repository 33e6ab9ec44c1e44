import type { ReactNode } from "react";
import { useMay, type Right } from "@/lib/rights";
import { Icon } from "./Icon";

interface Props {
  right: Right | undefined;
  /** Show the part with its fields disabled, and say why; otherwise it is left out. */
  readOnly?: boolean;
  children: ReactNode;
}

/** A part of a screen for those whose role allows it. */
export function Allowed({ right, readOnly = false, children }: Props) {
  if (useMay(right)) return children;
  if (!readOnly) return null;
  return (
    <fieldset disabled className="contents">
      <p role="note" className="col-span-full flex items-start gap-2 rounded-md bg-mute-soft px-3 py-2 text-ink-2">
        <Icon name="ban" className="mt-0.5" />
        Your role allows you to look at this, not to change it.
      </p>
      {children}
    </fieldset>
  );
}
