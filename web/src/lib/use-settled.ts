import { useEffect, useState } from "react";

/** Return the value once it has stopped changing, so that typed text is queried when typing stops. */
export function useSettled<T>(value: T, quietMs = 300): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}
