import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { useDispatch } from "react-redux";
import type { baseApi } from "./base-api";

export type ApiState = Record<typeof baseApi.reducerPath, ReturnType<typeof baseApi.reducer>>;
export type ApiDispatch = ThunkDispatch<ApiState, unknown, UnknownAction>;

export const useApiDispatch = useDispatch.withTypes<ApiDispatch>();
