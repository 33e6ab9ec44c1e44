import { useEffect } from "react";
import { readSession } from "@/api/session";
import { session } from "@/lib/rights";
import { useValue } from "@/live/hooks";

/** Return the session, or null until it was read. */
export function useSession() {
  const known = useValue(session);
  useEffect(() => {
    if (session.get() === null) void readSession();
  }, []);
  return known;
}
