import { useEffect } from "react";
import { readSession, session } from "@/api/session";
import { useValue } from "@/live/hooks";

/** Return the session, or null until it was read. */
export function useSession() {
  const known = useValue(session);
  useEffect(() => {
    if (session.get() === null) void readSession();
  }, []);
  return known;
}
