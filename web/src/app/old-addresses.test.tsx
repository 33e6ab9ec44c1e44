import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderAt } from "@/testing/render";
import { oldAddresses } from "./old-addresses";

const SCREENS = [{ path: "/import", element: <p>Import</p> }, { path: "/tasks/:taskId", element: <p>A task</p> }];

test.each([
  ["/tasks/import", "/import?to=tasks"],
  ["/datasets/a%20b/upload", "/import?to=dataset&dataset=a+b"],
])("the old address %s leads to %s and leaves no entry for Back", async (old, now) => {
  const { router } = renderAt(old, [...SCREENS, ...oldAddresses]);
  await waitFor(() => expect(`${router.state.location.pathname}${router.state.location.search}`).toBe(now));
  expect(router.state.historyAction).toBe("REPLACE");
});
