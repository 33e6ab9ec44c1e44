import { baseApi as api } from "../../base-api";
import type {
  AskPlaygroundApiResponse,
  AskPlaygroundApiArg,
  KeepPlaygroundApiResponse,
  KeepPlaygroundApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    askPlayground: build.mutation<
      AskPlaygroundApiResponse,
      AskPlaygroundApiArg
    >({
      query: (queryArg) => ({
        url: `/api/playground`,
        method: "POST",
        body: queryArg.askPlayground,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    keepPlayground: build.mutation<
      KeepPlaygroundApiResponse,
      KeepPlaygroundApiArg
    >({
      query: (queryArg) => ({
        url: `/api/playground/${encodeURIComponent(String(queryArg.runId))}/keep`,
        method: "POST",
        body: queryArg.body,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const { useAskPlaygroundMutation, useKeepPlaygroundMutation } =
  injectedRtkApi;
