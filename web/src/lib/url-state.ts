/** View state that lives in the URL, so that it survives Back, refresh and a shared link. */

import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

/** The known values of a repeated parameter, in the order of `allowed`; unknown ones are ignored. */
export function readSet<T extends string>(search: URLSearchParams, name: string, allowed: readonly T[]): T[] {
  const given = new Set(search.getAll(name));
  return allowed.filter((value) => given.has(value));
}

export function writeSet(search: URLSearchParams, name: string, values: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(name);
  for (const value of values) next.append(name, value);
  return next;
}

export function writeOne(search: URLSearchParams, name: string, value: string | null): URLSearchParams {
  return writeSet(search, name, value === null ? [] : [value]);
}

/** Filters replace the history entry: Back leaves the page rather than undoing each click. */
export function useUrlSet<T extends string>(name: string, allowed: readonly T[]): [T[], (values: readonly T[]) => void] {
  const [search, setSearch] = useSearchParams();
  const values = useMemo(() => readSet(search, name, allowed), [search, name, allowed]);
  const set = useCallback(
    (next: readonly T[]) => setSearch((now) => writeSet(now, name, next), { replace: true, preventScrollReset: true }),
    [setSearch, name],
  );
  return [values, set];
}

/** What opens something pushes an entry, so that Back closes it; moving within replaces it. */
export function useUrlParam(name: string): [string | null, (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const value = search.get(name);
  const set = useCallback(
    (next: string | null) =>
      setSearch((now) => writeOne(now, name, next), { replace: value !== null, preventScrollReset: true }),
    [setSearch, name, value],
  );
  return [value, set];
}

/** A text that filters: empty when the URL does not name it. Typing replaces the history entry. */
export function useUrlText(name: string): [string, (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (next: string) => setSearch((now) => writeOne(now, name, next === "" ? null : next), { replace: true, preventScrollReset: true }),
    [setSearch, name],
  );
  return [search.get(name) ?? "", set];
}
