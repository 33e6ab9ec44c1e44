import { useEffect } from "react";
import { Icon } from "@/components/Icon";
import { formatClock } from "@/lib/format";
import { useValue } from "@/live/hooks";
import { reach } from "@/live/reach";

/** Show that the server does not answer, above the page, and trigger all refetches when it does again. */
export function ServerAway() {
  const state = useValue(reach.state);
  useEffect(() => reach.watch(), []);
  useEffect(() => {
    if (state.isThere) return;
    // The page and every panel start below the banner, so that it covers no button.
    document.documentElement.style.setProperty("--banner", "2.25rem");
    return () => {
      document.documentElement.style.removeProperty("--banner");
      // The live feed and failed queries wait for the network and retry at this event.
      globalThis.dispatchEvent(new Event("online"));
    };
  }, [state.isThere]);
  if (state.isThere) return null;
  return (
    <div role="alert" aria-label="Connection to the server" className="fixed inset-x-0 top-0 z-50 flex h-9 items-center gap-2 border-b border-warn bg-warn-soft px-4 text-warn sm:px-6 print:hidden">
      <Icon name="alert" />
      <p className="min-w-0 truncate">
        <strong className="font-semibold">{state.why}</strong>, since {formatClock(new Date(state.since).toISOString())}. The page shows data from then and reconnects automatically.
      </p>
    </div>
  );
}
