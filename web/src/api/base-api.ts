/** The one RTK Query API; src/api/generated injects the services' endpoints into it. */

import {
  createApi,
  fetchBaseQuery,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryError,
  type FetchBaseQueryMeta,
} from "@reduxjs/toolkit/query/react";

import { loadCode, reach } from "@/live/reach";

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

const sessions = () => loadCode(() => import("./session"));

const baseQuery: Query = async (request, api, options) => {
  const { headers = {}, ...rest } = typeof request === "string" ? { url: request } : request;
  const attempt = (token?: string) => {
    const given = Object.entries({ ...headers, "X-CSRF-Token": token }).map(([name, value]) => [name, value ?? undefined]);
    return send({ ...rest, headers: Object.fromEntries(given) }, api, options);
  };
  // Some reads are sent as POST, and the server wants the token of those, too.
  const isChange = (rest.method ?? "GET") !== "GET";
  const answer = isChange ? await (await sessions()).sendChange(attempt) : await attempt();
  if (answer.error?.status === "FETCH_ERROR" && reach.isWatched) void reach.look();
  // An ended session leads to the sign-in (features/identity); a refusal may mean that the role has changed.
  if (answer.error?.status === 401 || answer.error?.status === 403) await (await sessions()).readSession();
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
