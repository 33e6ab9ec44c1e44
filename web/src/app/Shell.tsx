import { lazy, Suspense } from "react";
import { Link, Outlet, ScrollRestoration, useLocation } from "react-router";
import { MenuPlace } from "@/components/MenuPlace";
import { useFaultFocus } from "@/lib/use-fault-focus";
import { loadCode } from "@/live/reach";
import { usePlaces } from "./screens";

// Shortcuts, theme, account, toasts and the banner of an outage are loaded lazily: the first paint does not need them.
const Corner = lazy(() => loadCode(() => import("./Corner")));

const isWithin = (pathname: string, place: string) => pathname === place || pathname.startsWith(`${place}/`);

export function Shell() {
  const { pathname } = useLocation();
  const places = usePlaces();
  // Not loaded lazily: a form that is submitted at once would be missed.
  useFaultFocus();
  return (
    <div className="flex min-h-dvh flex-col pt-(--banner,0px)">
      <a href="#main" className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2">
        Skip to content
      </a>
      <header className="border-b border-line bg-surface print:hidden">
        <div className="mx-auto flex h-13 w-full max-w-screen-2xl items-center gap-2 px-4 sm:gap-6 sm:px-6">
          <Link to="/runs" className="flex items-center gap-2 text-base font-semibold tracking-tight">
            <Logo />
            <span className="max-sm:sr-only">llmbench</span>
          </Link>
          <nav aria-label="Main" className="flex min-w-0 flex-1 items-center overflow-x-auto py-1 sm:gap-1">
            {places.map(({ to, label, also }) => {
              const isHere = isWithin(pathname, to) || (also !== undefined && isWithin(pathname, also));
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
            <Suspense fallback={<span className="w-8" />}>
              <Corner places={places} />
            </Suspense>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
        <MenuPlace />
      </main>
      <ScrollRestoration />
    </div>
  );
}

/** Drawn inline like favicon.svg: an image would disappear with the server. */
function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6">
      <rect width="32" height="32" rx="8" fill="#2f5bd7" />
      <path d="M9 23V15M16 23V9M23 23v-5" stroke="#fff" strokeWidth="3.2" strokeLinecap="round" />
    </svg>
  );
}
