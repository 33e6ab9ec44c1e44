import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { readSet, useUrlParam, useUrlSet, writeSet } from "./url-state";

const STATES = ["NEW", "FAILED", "COMPLETED"] as const;

test("unknown values are ignored, known ones come in a fixed order", () => {
  expect(readSet(new URLSearchParams("state=FAILED&state=LOST&state=NEW"), "state", STATES)).toEqual(["NEW", "FAILED"]);
});

test("writing one parameter leaves the others", () => {
  expect(writeSet(new URLSearchParams("item=7&state=NEW"), "state", ["FAILED"]).toString()).toBe("item=7&state=FAILED");
  expect(writeSet(new URLSearchParams("item=7&state=NEW"), "state", []).toString()).toBe("item=7");
});

function hookAt<T>(path: string, hook: () => T) {
  let router: ReturnType<typeof createMemoryRouter> | undefined;
  const view = renderHook(hook, {
    wrapper: function Wrapper({ children }: { children: ReactNode }) {
      router ??= createMemoryRouter([{ path: "*", element: children }], { initialEntries: [path] });
      return <RouterProvider router={router} />;
    },
  });
  return { view, search: () => router?.state.location.search, back: () => router?.navigate(-1) };
}

test("a filter replaces the history entry", async () => {
  const { view, search } = hookAt("/runs?state=NEW&item=7", () => useUrlSet("state", STATES));
  expect(view.result.current[0]).toEqual(["NEW"]);
  await act(async () => view.result.current[1](["FAILED", "NEW"]));
  expect(search()).toBe("?item=7&state=FAILED&state=NEW");
});

test("opening pushes an entry, so that Back closes", async () => {
  const { view, search, back } = hookAt("/runs?state=NEW", () => useUrlParam("item"));
  await act(async () => view.result.current[1]("7"));
  expect(search()).toBe("?state=NEW&item=7");
  await act(async () => view.result.current[1]("8"));
  expect(search()).toBe("?state=NEW&item=8");
  await act(async () => void (await back()));
  expect(search()).toBe("?state=NEW");
});

test("closing takes the pushed entry back, once, so that the next Back leaves the page", async () => {
  const { view, search, back } = hookAt("/first", () => useUrlParam("item"));
  await act(async () => view.result.current[1]("7"));
  await act(async () => view.result.current[1]("8"));
  const [, set] = view.result.current;
  await act(async () => {
    set(null);
    set(null);
  });
  expect(search()).toBe("");
  await act(async () => view.result.current[1]("9"));
  expect(search()).toBe("?item=9");
  await act(async () => void (await back()));
  expect(search()).toBe("");
});

test("what a link from elsewhere opened is closed where it stands", async () => {
  const { view, search } = hookAt("/runs?item=7", () => useUrlParam("item"));
  await act(async () => view.result.current[1](null));
  expect(search()).toBe("");
});
