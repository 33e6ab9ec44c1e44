/** Placeholders for data: a message that says what to do next, or a skeleton during loading. */

import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

export function Message({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-3 grid size-10 place-items-center rounded-full bg-mute-soft text-ink-2">
        <Icon name={icon} className="size-5" />
      </span>
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="mt-1 max-w-lg text-ink-2">{children}</div>
    </div>
  );
}

export function Skeleton({ className = "" }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded bg-mute-soft ${className}`} />;
}
