/** Show the account menu in the header, or lead to the sign-in. Without sign-in it renders nothing. */

import { lazy, Suspense } from "react";
import { Navigate, useLocation } from "react-router";
import { loadCode } from "@/live/reach";
import { useSession } from "./use-session";

const AccountMenu = lazy(() => loadCode(() => import("./AccountMenu")));

export default function Account() {
  const known = useSession();
  const { pathname, search, hash } = useLocation();
  if (known?.auth !== "on") return null;
  if (!known.signed_in) return <Navigate to={`/sign-in?${new URLSearchParams({ next: `${pathname}${search}${hash}` })}`} replace />;
  return (
    <Suspense>
      <AccountMenu session={known} />
    </Suspense>
  );
}
