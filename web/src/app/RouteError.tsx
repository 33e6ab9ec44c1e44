import { lazy, Suspense, useEffect } from "react";
import { useRouteError } from "react-router";
import { loadCode, reach } from "@/live/reach";

// Corner has loaded it before: a server that does not answer sends no code.
const RouteErrorMessage = lazy(() => loadCode(() => import("./RouteErrorMessage")));

const RELOADED_KEY = "llmbench.reloaded";
/** The minimum time between reloads: another cause of the error would reload the page forever. */
const ONCE_IN_MS = 30_000;

/** Each browser words the error of missing code differently. */
const isMissingCode = (error: unknown) => error instanceof Error && /dynamically imported module|importing a module script|preload css/i.test(error.message);

/**
 * Show the error of a screen, or that its code failed to load: the server is unreachable or a new version was
 * installed. Missing code is reloaded automatically once the server answers.
 */
export function RouteError() {
  const error = useRouteError();
  const isMissing = isMissingCode(error);
  useEffect(() => {
    let isGone = false;
    if (isMissing) void reach.returned().then(() => isGone || reloadOnce());
    return () => {
      isGone = true;
    };
  }, [isMissing]);
  return (
    <div role="alert">
      <h1 className="sr-only">Error</h1>
      <Suspense fallback={<p>This page could not be loaded.</p>}>
        <RouteErrorMessage isMissing={isMissing} error={error} />
      </Suspense>
    </div>
  );
}

function reloadOnce(): void {
  try {
    const last = Number(sessionStorage.getItem(RELOADED_KEY));
    if (Date.now() - last < ONCE_IN_MS) return;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  } catch {
    // Without storage the page could reload forever: leave it to the button.
    return;
  }
  location.reload();
}
