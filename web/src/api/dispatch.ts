import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { useDispatch } from "react-redux";
import type { baseApi } from "./base-api";

export type ApiState = Record<typeof baseApi.reducerPath, ReturnType<typeof baseApi.reducer>>;
export type ApiDispatch = ThunkDispatch<ApiState, unknown, UnknownAction>;

export const useApiDispatch = useDispatch.withTypes<ApiDispatch>();

/**
 * Return the response to a query that no component subscribes to, and throw its error. It needs a subscription until
 * then: when tags are invalidated meanwhile, RTK Query removes the result of a query without one before it can be read.
 */
export async function ask<T>(query: { unwrap: () => Promise<T>; unsubscribe: () => void }): Promise<T> {
  try {
    return await query.unwrap();
  } finally {
    query.unsubscribe();
  }
}
