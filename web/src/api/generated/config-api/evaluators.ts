import { baseApi as api } from "../../base-api";
import type {
  ListEvaluatorsApiResponse,
  ListEvaluatorsApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listEvaluators: build.query<
      ListEvaluatorsApiResponse,
      ListEvaluatorsApiArg
    >({
      query: () => ({ url: `/api/evaluators` }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const { useListEvaluatorsQuery } = injectedRtkApi;
