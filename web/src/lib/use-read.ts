import { useState } from "react";

/** True from the first answer on that was read for this page: what stood in the cache before may be old. */
export function useRead(query: { isSuccess: boolean; isFetching: boolean }): boolean {
  const [read, setRead] = useState(false);
  if (!read && query.isSuccess && !query.isFetching) setRead(true);
  return read;
}
