import { useState } from "react";

/** Return true from the first response for this page on: a cached one may be outdated. */
export function useRead(query: { isSuccess: boolean; isFetching: boolean }): boolean {
  const [read, setRead] = useState(false);
  if (!read && query.isSuccess && !query.isFetching) setRead(true);
  return read;
}
