/** The one RTK Query API; src/api/generated injects the services' endpoints into it. */

import {
  createApi,
  fetchBaseQuery,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryError,
  type FetchBaseQueryMeta,
} from "@reduxjs/toolkit/query/react";

import { reach } from "@/live/reach";

/** Serialize parameters for FastAPI: lists as repeated keys (`status=A&status=B`), without absent values. */
export function serializeParams(params: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) search.append(key, String(one));
    }
  }
  return search.toString();
}

/** A request as the generator writes it: an optional header (`If-Match`) may be null. */
type Request = Omit<FetchArgs, "headers"> & { headers?: Record<string, string | null | undefined> };
type Query = BaseQueryFn<string | Request, unknown, FetchBaseQueryError, object, FetchBaseQueryMeta>;

// The full URL, because fetch outside a browser (tests) knows no base of its own.
const send = fetchBaseQuery({ baseUrl: globalThis.location.origin, paramsSerializer: serializeParams });

const baseQuery: Query = async (request, api, options) => {
  const given = typeof request === "string" ? [] : Object.entries(request.headers ?? {}).map(([name, value]) => [name, value ?? undefined]);
  const answer = await send(typeof request === "string" ? request : { ...request, headers: Object.fromEntries(given) }, api, options);
  if (answer.error?.status === "FETCH_ERROR" && reach.isWatched) void reach.look();
  return answer;
};

export const baseApi = createApi({
  reducerPath: "api",
  baseQuery,
  // Events keep a live run current; other data is refetched when the user returns.
  keepUnusedDataFor: 30,
  refetchOnReconnect: true,
  endpoints: () => ({}),
});
