import { useEffect } from "react";
import { Icon } from "@/components/Icon";
import { useValue } from "@/live/hooks";
import { reach } from "@/live/reach";

/** Says that the server does not answer, above everything, and sends all on its way when it does again. */
export function ServerAway() {
  const state = useValue(reach.state);
  useEffect(() => reach.watch(), []);
  useEffect(() => {
    if (state.isThere) return;
    // Everything below, and every panel, begins lower by so much: no button lies under it.
    document.documentElement.style.setProperty("--banner", "2.25rem");
    return () => {
      document.documentElement.style.removeProperty("--banner");
      // The live feed and every question that failed wait for the network, and ask again at this event.
      globalThis.dispatchEvent(new Event("online"));
    };
  }, [state.isThere]);
  if (state.isThere) return null;
  return (
    <div role="alert" aria-label="Connection to the server" className="fixed inset-x-0 top-0 z-50 flex h-9 items-center gap-2 border-b border-warn bg-warn-soft px-4 text-warn sm:px-6 print:hidden">
      <Icon name="alert" />
      <p className="min-w-0 truncate">
        <strong className="font-semibold">{state.why}</strong>, since {new Date(state.since).toLocaleTimeString("en", { hourCycle: "h23" })}. You see the data of that moment. The page reconnects automatically.
      </p>
    </div>
  );
}
