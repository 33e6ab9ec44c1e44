import { configureStore } from "@reduxjs/toolkit";
import { render } from "@testing-library/react";
import { Provider } from "react-redux";
import { createMemoryRouter, RouterProvider, type RouteObject } from "react-router";
import { baseApi } from "@/api/base-api";
import { LiveProvider } from "@/live/context";
import { FakeConnection } from "./fake-connection";

/** A screen at an address, with a store, a router and a connection of its own. */
export function renderAt(path: string, routes: RouteObject[]) {
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer },
    middleware: (defaults) => defaults().concat(baseApi.middleware),
  });
  const connection = new FakeConnection();
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const view = render(
    <Provider store={store}>
      <LiveProvider connection={connection}>
        <RouterProvider router={router} />
      </LiveProvider>
    </Provider>,
  );
  return { ...view, store, connection, router };
}
