import { baseApi as api } from "../../base-api";
import type {
  ListSchedulesApiResponse,
  ListSchedulesApiArg,
  CreateScheduleApiResponse,
  CreateScheduleApiArg,
  NextTimesApiResponse,
  NextTimesApiArg,
  GetScheduleApiResponse,
  GetScheduleApiArg,
  UpdateScheduleApiResponse,
  UpdateScheduleApiArg,
  DeleteScheduleApiResponse,
  DeleteScheduleApiArg,
  PauseScheduleApiResponse,
  PauseScheduleApiArg,
  ResumeScheduleApiResponse,
  ResumeScheduleApiArg,
  RunScheduleApiResponse,
  RunScheduleApiArg,
  ListFiringsApiResponse,
  ListFiringsApiArg,
} from "../orchestrator";

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listSchedules: build.query<ListSchedulesApiResponse, ListSchedulesApiArg>({
      query: () => ({ url: `/api/schedules` }),
    }),
    createSchedule: build.mutation<
      CreateScheduleApiResponse,
      CreateScheduleApiArg
    >({
      query: (queryArg) => ({
        url: `/api/schedules`,
        method: "POST",
        body: queryArg.createSchedule,
      }),
    }),
    nextTimes: build.query<NextTimesApiResponse, NextTimesApiArg>({
      query: (queryArg) => ({
        url: `/api/schedules/next-times`,
        params: {
          cron: queryArg.cron,
          time_zone: queryArg.timeZone,
          count: queryArg.count,
        },
      }),
    }),
    getSchedule: build.query<GetScheduleApiResponse, GetScheduleApiArg>({
      query: (queryArg) => ({
        url: `/api/schedules/${encodeURIComponent(String(queryArg.scheduleId))}`,
      }),
    }),
    updateSchedule: build.mutation<
      UpdateScheduleApiResponse,
      UpdateScheduleApiArg
    >({
      query: (queryArg) => ({
        url: `/api/schedules/${encodeURIComponent(String(queryArg.scheduleId))}`,
        method: "PUT",
        body: queryArg.scheduleIn,
        headers: {
          "if-match": queryArg["if-match"],
        },
      }),
    }),
    deleteSchedule: build.mutation<
      DeleteScheduleApiResponse,
      DeleteScheduleApiArg
    >({
      query: (queryArg) => ({
        url: `/api/schedules/${encodeURIComponent(String(queryArg.scheduleId))}`,
        method: "DELETE",
      }),
    }),
    pauseSchedule: build.mutation<
      PauseScheduleApiResponse,
      PauseScheduleApiArg
    >({
      query: (queryArg) => ({
        url: `/api/schedules/${encodeURIComponent(String(queryArg.scheduleId))}/pause`,
        method: "POST",
      }),
    }),
    resumeSchedule: build.mutation<
      ResumeScheduleApiResponse,
      ResumeScheduleApiArg
    >({
      query: (queryArg) => ({
        url: `/api/schedules/${encodeURIComponent(String(queryArg.scheduleId))}/resume`,
        method: "POST",
      }),
    }),
    runSchedule: build.mutation<RunScheduleApiResponse, RunScheduleApiArg>({
      query: (queryArg) => ({
        url: `/api/schedules/${encodeURIComponent(String(queryArg.scheduleId))}/run`,
        method: "POST",
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    listFirings: build.query<ListFiringsApiResponse, ListFiringsApiArg>({
      query: (queryArg) => ({
        url: `/api/schedules/${encodeURIComponent(String(queryArg.scheduleId))}/firings`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as orchestratorApi };
export const {
  useListSchedulesQuery,
  useCreateScheduleMutation,
  useNextTimesQuery,
  useGetScheduleQuery,
  useUpdateScheduleMutation,
  useDeleteScheduleMutation,
  usePauseScheduleMutation,
  useResumeScheduleMutation,
  useRunScheduleMutation,
  useListFiringsQuery,
} = injectedRtkApi;
