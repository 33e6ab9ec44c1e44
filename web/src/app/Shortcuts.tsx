import { lazy, Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { IconButton } from "@/components/Button";
import { useShortcuts } from "@/lib/shortcuts";
import { loadCode } from "@/live/reach";

const Palette = lazy(() => loadCode(() => import("./palette/Palette")));
const ShortcutHelp = lazy(() => loadCode(() => import("./ShortcutHelp")));

interface Props {
  places: readonly { to: string; label: string; key?: string }[];
}

/** The global shortcuts, and the list of all shortcuts of the current screen. */
export function Shortcuts({ places }: Props) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [finding, setFinding] = useState(false);
  // A key with Ctrl works while typing, too.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setFinding((before) => !before);
    };
    globalThis.addEventListener("keydown", onKey);
    return () => globalThis.removeEventListener("keydown", onKey);
  }, []);
  // Also over a dialog, which has shortcuts of its own.
  useShortcuts("Everywhere", [{ keys: ["?"], label: "Show these shortcuts", run: () => setOpen(true) }], { modal: true });
  // g for go, then the letter of the place.
  useShortcuts("Go to", places.flatMap(({ to, label, key }) => (key ? [{ keys: [`g ${key}`], label, run: () => void navigate(to) }] : [])));
  return (
    <>
      <IconButton icon="search" label="Search and go to (Ctrl K)" onClick={() => setFinding(true)} />
      <IconButton icon="keyboard" label="Keyboard shortcuts (?)" className="max-sm:hidden" onClick={() => setOpen(true)} />
      <Suspense>{open && <ShortcutHelp onClose={() => setOpen(false)} />}</Suspense>
      <Suspense>{finding && <Palette places={places} onClose={() => setFinding(false)} />}</Suspense>
    </>
  );
}
