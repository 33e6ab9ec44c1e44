/** View state that lives in the URL, so that it survives Back, refresh and a shared link. */

import { useCallback, useMemo, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";

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

/** The state of a history entry that was pushed to open something: closing it goes back to the entry before. */
export const opening = (name: string) => ({ opened: name });

/**
 * Bind a URL parameter that opens something. Opening pushes an entry, so that Back closes it; changing the value
 * replaces the entry. Closing goes back, because a remaining entry would make the next Back do nothing. A parameter
 * that came with an external link is removed in place.
 */
export function useUrlParam(name: string): [string | null, (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const { key, state } = useLocation() as { key: string; state: unknown };
  const value = search.get(name);
  const isPushed = (state as ReturnType<typeof opening> | null)?.opened === name;
  const left = useRef<string>(undefined);
  const set = useCallback(
    (next: string | null) => {
      if (next !== null || !isPushed || value === null) {
        const kept = value === null && next !== null ? opening(name) : state;
        return setSearch((now) => writeOne(now, name, next), { replace: value !== null, preventScrollReset: true, state: kept });
      }
      // Pressed twice, Esc would leave the page.
      if (left.current === key) return;
      left.current = key;
      void navigate(-1);
    },
    [setSearch, navigate, name, value, state, isPushed, key],
  );
  return [value, set];
}

/** Bind a text filter to a URL parameter, empty by default. Typing replaces the history entry. */
export function useUrlText(name: string): [string, (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (next: string) => setSearch((now) => writeOne(now, name, next === "" ? null : next), { replace: true, preventScrollReset: true }),
    [setSearch, name],
  );
  return [search.get(name) ?? "", set];
}
