import { lazy, Suspense } from "react";
import { Link, Outlet, ScrollRestoration, useLocation } from "react-router";
import { MenuPlace } from "@/components/MenuPlace";
import { AREAS } from "@/lib/screen";
import { useFaultFocus } from "@/lib/use-fault-focus";
import { loadCode } from "@/live/reach";
import { placeOf, usePlaces, type Place } from "./screens";

// Shortcuts, theme, account, toasts and the banner of an outage are loaded lazily: the first paint does not need them.
const Corner = lazy(() => loadCode(() => import("./Corner")));

export function Shell() {
  const { pathname } = useLocation();
  const places = usePlaces();
  const here = placeOf(pathname, places);
  const areas = (Object.entries(AREAS) as [Place["area"], string][]).filter(([area]) => places.some((one) => one.area === area));
  const beside = places.filter((one) => one.area === here?.area);
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
          <nav aria-label="Main" className="flex min-w-0 flex-1 items-center gap-0.5 py-1 sm:gap-1">
            {areas.map(([area, label]) => {
              const isHere = here?.area === area;
              return (
                <Link
                  key={area}
                  to={places.find((one) => one.area === area)!.to}
                  aria-current={isHere ? "true" : undefined}
                  className={`rounded-md px-2 py-1.5 font-medium sm:px-2.5 ${isHere ? "bg-mute-soft text-ink" : "text-ink-2 hover:bg-hover hover:text-ink"}`}
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
        {here && beside.length > 1 && (
          <nav aria-label={AREAS[here.area]} className="mx-auto flex w-full max-w-screen-2xl flex-wrap gap-x-5 px-4 sm:px-6">
            {beside.map((one) => (
              <Link
                key={one.to}
                to={one.to}
                aria-current={one.to === here.to ? "page" : undefined}
                className={`border-b-2 py-1.5 ${one.to === here.to ? "border-accent font-medium text-ink" : "border-transparent text-ink-2 hover:border-line-strong hover:text-ink"}`}
              >
                {one.label}
              </Link>
            ))}
          </nav>
        )}
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
