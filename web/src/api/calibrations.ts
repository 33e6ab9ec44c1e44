/** Calibrations as the app uses them: the generated client plus cache tags, and labels as a file. */

import type { CalibrationOut, CalibrationPage, CreateCalibrationApiArg } from "./generated/orchestrator";
import { orchestratorApi as generated } from "./generated/orchestrator/calibrations";

export type CalibrationIn = CreateCalibrationApiArg["createCalibration"];

const LIST = { type: "Calibration", id: "list" } as const;
const changesList = (_result: unknown, error: unknown) => (error ? [] : (["Calibration"] as const));

const calibrationApi = generated
  .enhanceEndpoints({
    addTagTypes: ["Calibration"],
    endpoints: {
      listCalibrations: { providesTags: [LIST] },
      listJudgesOfRuns: { providesTags: [LIST] },
      createCalibration: { invalidatesTags: changesList },
      getCalibration: { providesTags: (_result, _error, { id }) => [{ type: "Calibration", id }] },
      renameCalibration: { invalidatesTags: changesList },
      deleteCalibration: { invalidatesTags: () => [{ type: "Calibration", id: "list" }] },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      calibrationPages: build.infiniteQuery<CalibrationPage, void, string | null>({
        query: ({ pageParam }) => ({ url: "/api/calibrations", params: { limit: 50, cursor: pageParam } }),
        infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined },
        providesTags: [LIST],
      }),
      /** `POST /api/calibrations` with a form, which the generated client does not support. */
      sendLabels: build.mutation<CalibrationOut, { file: File; request: CalibrationIn }>({
        query: ({ file, request }) => {
          const body = new FormData();
          body.append("file", file, file.name);
          body.append("request", JSON.stringify(request));
          return { url: "/api/calibrations", method: "POST", body };
        },
        invalidatesTags: changesList,
      }),
    }),
  });

export const { useListCalibrationsQuery, useListJudgesOfRunsQuery, useCalibrationPagesInfiniteQuery, useRenameCalibrationMutation, useGetCalibrationQuery, useCreateCalibrationMutation, useSendLabelsMutation, useDeleteCalibrationMutation, usePlanLabelsQuery } = calibrationApi;

export const exportHref = (id: string, format: "csv" | "json") => `/api/calibrations/${encodeURIComponent(id)}/export?format=${format}`;
