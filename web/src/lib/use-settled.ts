import { useEffect, useState } from "react";

/** The value once it has stayed the same for a while: what is typed is asked about when the typing stops. */
export function useSettled<T>(value: T, quietMs = 300): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}
