/** The schedule endpoints as the app uses them: the generated client plus cache tags. */

import type { ScheduleOut } from "./generated/orchestrator";
import { orchestratorApi } from "./generated/orchestrator/schedules";

const ofSchedule = (_result: unknown, _error: unknown, { scheduleId }: { scheduleId: string }) => [{ type: "Schedule" as const, id: scheduleId }];
const changed = (_result: unknown, error: unknown, { scheduleId }: { scheduleId: string }) => (error ? [] : ["ScheduleList" as const, { type: "Schedule" as const, id: scheduleId }]);

const schedulesApi = orchestratorApi.enhanceEndpoints({
  addTagTypes: ["ScheduleList", "Schedule"],
  endpoints: {
    listSchedules: { providesTags: ["ScheduleList"] },
    getSchedule: { providesTags: ofSchedule },
    listFirings: { providesTags: ofSchedule },
    createSchedule: { invalidatesTags: (_result, error) => (error ? [] : ["ScheduleList"]) },
    updateSchedule: { invalidatesTags: changed },
    pauseSchedule: { invalidatesTags: changed },
    resumeSchedule: { invalidatesTags: changed },
    runSchedule: { invalidatesTags: changed },
    // The deleted schedule's own tag stays valid: refetching it would answer 404.
    deleteSchedule: { invalidatesTags: (_result, error) => (error ? [] : ["ScheduleList"]) },
    // Past times go out of date.
    nextTimes: { keepUnusedDataFor: 0 },
  },
});

/** Return the `If-Match` of a change that is based on this version. */
export const matching = (schedule: Pick<ScheduleOut, "version">) => `"${schedule.version}"`;

export const {
  useListSchedulesQuery,
  useGetScheduleQuery,
  useLazyGetScheduleQuery,
  useListFiringsQuery,
  useNextTimesQuery,
  useCreateScheduleMutation,
  useUpdateScheduleMutation,
  usePauseScheduleMutation,
  useResumeScheduleMutation,
  useRunScheduleMutation,
  useDeleteScheduleMutation,
} = schedulesApi;
