/** The name that a person gives without sign-in. It is kept while the page is open. */

import { useState } from "react";
import { useValue } from "@/live/hooks";
import { session } from "./rights";

let lastName = "";

/** Return the name, whether it has to be asked for, and what a request says: nothing with sign-in. */
export function useOwnName() {
  const isSignedIn = useValue(session)?.auth === "on";
  const [name, setName] = useState(lastName);
  const keep = (given: string) => {
    lastName = given;
    setName(given);
  };
  return { name, keep, isNamed: isSignedIn || name.trim() !== "", isAsked: !isSignedIn, given: isSignedIn ? undefined : name.trim() };
}
