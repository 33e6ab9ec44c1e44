// @vitest-environment jsdom
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import { ask } from "@/api/dispatch";
import { runsApi } from "@/api/runs";
import { runDetail } from "@/testing/samples";
import { server } from "@/testing/server";
import { createStore } from "./store";

test("the response is returned although its tags are invalidated while it is on its way", async () => {
  const { dispatch } = createStore();
  const run = runDetail();
  server.use(
    http.get("*/api/runs/:id", () => {
      dispatch(runsApi.util.invalidateTags([{ type: "Run", id: run.id }]));
      return HttpResponse.json(run);
    }),
  );
  await expect(ask(dispatch(runsApi.endpoints.getRun.initiate({ runId: run.id }, { forceRefetch: true })))).resolves.toMatchObject({ id: run.id });
});

test("an error is thrown", async () => {
  server.use(http.get("*/api/runs/:id", () => HttpResponse.json({ title: "Not found", status: 404 }, { status: 404 })));
  const query = createStore().dispatch(runsApi.endpoints.getRun.initiate({ runId: "none" }, { forceRefetch: true }));
  await expect(ask(query)).rejects.toMatchObject({ status: 404 });
});
