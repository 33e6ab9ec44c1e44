import { useEffect } from "react";
import { useBlocker } from "react-router";
import { Button } from "./Button";
import { AlertDialog } from "./Dialog";

interface Props {
  unsaved: boolean;
  /** The form depends on the query string: changing the query leaves the form. */
  bySearch?: boolean;
}

/** Ask before leaving a page with unsaved changes. */
export function UnsavedGuard({ unsaved, bySearch = false }: Props) {
  const blocker = useBlocker(({ currentLocation: now, nextLocation: next }) => unsaved && (now.pathname !== next.pathname || (bySearch && now.search !== next.search)));
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    globalThis.addEventListener("beforeunload", ask);
    return () => globalThis.removeEventListener("beforeunload", ask);
  }, [unsaved]);
  return <LeaveQuestion open={blocker.state === "blocked"} onStay={() => blocker.reset?.()} onLeave={() => blocker.proceed?.()} />;
}

/** Ask before a form is closed without leaving its page. */
export function LeaveQuestion({ open, onStay, onLeave }: { open: boolean; onStay: () => void; onLeave: () => void }) {
  return (
    <AlertDialog open={open} onClose={onStay} title="Leave without saving?">
      <p className="mt-2 text-ink-2">What you changed on this page is not saved.</p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onStay} data-autofocus>Stay here</Button>
        <Button kind="danger" onClick={onLeave}>Leave</Button>
      </div>
    </AlertDialog>
  );
}
