import { baseApi as api } from "../../base-api";
import type {
  CountOrphanedUploadsApiResponse,
  CountOrphanedUploadsApiArg,
  SweepUploadsApiResponse,
  SweepUploadsApiArg,
} from "../config-api";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    countOrphanedUploads: build.query<
      CountOrphanedUploadsApiResponse,
      CountOrphanedUploadsApiArg
    >({
      query: () => ({ url: `/api/uploads/orphans` }),
    }),
    sweepUploads: build.mutation<SweepUploadsApiResponse, SweepUploadsApiArg>({
      query: () => ({ url: `/api/uploads/sweep`, method: "POST" }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as configApi };
export const { useCountOrphanedUploadsQuery, useSweepUploadsMutation } =
  injectedRtkApi;
