import { lazy, Suspense } from "react";
import { Link, Outlet, ScrollRestoration, useLocation } from "react-router";
import { MenuPlace } from "@/components/MenuPlace";
import { Toasts } from "@/components/Toast";
import { ThemeToggle } from "./ThemeToggle";

// Nobody presses a key in the moment in which the page appears.
const Shortcuts = lazy(async () => ({ default: (await import("./Shortcuts")).Shortcuts }));

/** The places of the app, in the order in which one comes to need them. */
const PLACES = [
  { to: "/providers", label: "Providers" },
  { to: "/tasks", label: "Tasks" },
  { to: "/collections", label: "Collections" },
  { to: "/datasets", label: "Datasets", also: "/documents" },
  { to: "/runs", label: "Runs" },
] satisfies { to: string; label: string; /** What is a part of it at an address of its own. */ also?: string }[];

const isWithin = (pathname: string, place: string | undefined) => pathname === place || pathname.startsWith(`${place}/`);

export function Shell() {
  const { pathname } = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2">
        Skip to content
      </a>
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex h-13 w-full max-w-screen-2xl items-center gap-2 px-4 sm:gap-6 sm:px-6">
          <Link to="/runs" className="flex items-center gap-2 text-base font-semibold tracking-tight">
            <img src="/favicon.svg" alt="" className="size-6" />
            <span className="max-sm:sr-only">llmbench</span>
          </Link>
          <nav aria-label="Main" className="flex min-w-0 flex-1 items-center overflow-x-auto py-1 sm:gap-1">
            {PLACES.map(({ to, label, also }) => {
              const isHere = isWithin(pathname, to) || isWithin(pathname, also);
              return (
                <Link
                  key={to}
                  to={to}
                  aria-current={isHere ? "page" : undefined}
                  className={`rounded-md px-2.5 py-1.5 font-medium max-sm:px-1 max-sm:text-xs ${isHere ? "bg-mute-soft text-ink" : "text-ink-2 hover:bg-hover hover:text-ink"}`}
                >
                  {label}
                </Link>
              );
            })}
          </nav>
          <div className="flex items-center">
            <Suspense fallback={<span className="w-8 max-sm:hidden" />}>
              <Shortcuts places={PLACES} />
            </Suspense>
            <ThemeToggle />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
        <MenuPlace />
      </main>
      <Toasts />
      <ScrollRestoration />
    </div>
  );
}
