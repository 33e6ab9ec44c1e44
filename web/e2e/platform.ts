/** Drive the platform over its HTTP API, with the mock as provider. */

import { expect, test as base, type APIRequestContext } from "@playwright/test";
import type { CollectionIn, CollectionOut, ProviderIn, ProviderOut, TaskIn, TaskOut } from "../src/api/generated/config-api";
import type { CreateRun, CreateSchedule, ExperimentIn, ExperimentOut, ItemPage, ItemRow, RunDetail, RunEvents, RunPage, RunStatus, RunSummary, ScheduleOut } from "../src/api/generated/orchestrator";

const OVER: readonly RunStatus[] = ["FINISHED", "CANCELLED"];

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}: the browser tests need a running platform and a mock provider.`);
  return value;
}

export interface RunPlan {
  name: string;
  /** The mock takes its latency from its name: `mock-200ms`. */
  models: string[];
  judgeModel?: string;
  tasks: number;
  question?: (index: number) => string;
}

export class Platform {
  readonly #request: APIRequestContext;
  readonly #started: string[] = [];
  readonly #scripted: string[] = [];

  constructor(request: APIRequestContext) {
    this.#request = request;
  }

  async runs(): Promise<RunSummary[]> {
    return (await this.#get<RunPage>("/api/runs")).items;
  }

  run(id: string): Promise<RunDetail> {
    return this.#get(`/api/runs/${id}`);
  }

  async items(id: string): Promise<ItemRow[]> {
    const rows: ItemRow[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page: ItemPage = await this.#get(`/api/runs/${id}/items?limit=500${query}`);
      rows.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return rows;
  }

  async events(id: string): Promise<RunEvents["events"]> {
    const all: RunEvents["events"] = [];
    for (let next = 1; ; ) {
      const page: RunEvents = await this.#get(`/api/runs/${id}/events?from_seq=${next}&limit=500`);
      all.push(...page.events);
      if (page.events.length === 0 || page.next_seq > page.last_seq) return all;
      next = page.next_seq;
    }
  }

  /**
   * Create what a run needs: the mock as a provider, and a collection. The host `localhost` counts as hosted, and
   * 127.0.0.1 as local.
   */
  async prepare(plan: Pick<RunPlan, "tasks" | "question"> & { host?: "localhost" }): Promise<{ provider: ProviderOut; collection: CollectionOut }> {
    const unique = crypto.randomUUID().slice(0, 8);
    const provider = await this.#post<ProviderOut>("/api/providers", {
      name: `Mock ${unique}`,
      type: "CUSTOM_OPEN_AI_COMPATIBLE",
      base_url: required("LLMBENCH_E2E_PROVIDER_URL").replace("127.0.0.1", plan.host ?? "127.0.0.1"),
    } satisfies ProviderIn);
    const taskIds: string[] = [];
    for (let index = 0; index < plan.tasks; index += 1) {
      const task = await this.#post<TaskOut>("/api/tasks", {
        task_id: `${unique}-${String(index).padStart(3, "0")}`,
        category: index % 2 === 0 ? "arithmetic" : "geography",
        question: plan.question?.(index) ?? `What is ${index} + 25?`,
        excellent: String(index + 25),
      } satisfies TaskIn);
      taskIds.push(task.id);
    }
    const collection = await this.#post<CollectionOut>("/api/collections", {
      name: `Collection ${unique}`,
      task_ids: taskIds,
    } satisfies CollectionIn);
    return { provider, collection };
  }

  /** Let the run end with the test. */
  ends(runId: string): void {
    this.#started.push(runId);
  }

  /** Start a run that ends with the test. */
  async create(body: CreateRun): Promise<RunSummary> {
    const run = await this.#post<RunSummary>("/api/runs", body);
    this.#started.push(run.id);
    return run;
  }

  async start(plan: RunPlan): Promise<RunSummary> {
    const { provider, collection } = await this.prepare(plan);
    return this.create({
      name: plan.name,
      judge: { provider_id: provider.id, model: plan.judgeModel ?? "mock-0ms-judge" },
      targets: plan.models.map((model) => ({ provider_id: provider.id, model })),
      collection_ids: [collection.id],
      check_providers: false,
    });
  }

  /** Create a schedule that is due on leap days only, unless `schedule` says otherwise. */
  async schedule(schedule: Partial<CreateSchedule> & { name: string }): Promise<ScheduleOut> {
    const { provider, collection } = await this.prepare({ tasks: 2 });
    return this.#post<ScheduleOut>("/api/schedules", {
      cron: "0 0 29 2 *",
      time_zone: "Europe/Berlin",
      what: {
        kind: "run",
        request: {
          judge: { provider_id: provider.id, model: "mock-0ms-judge" },
          targets: [{ provider_id: provider.id, model: "mock-0ms" }],
          collection_ids: [collection.id],
          check_providers: false,
        },
      },
      ...schedule,
    } satisfies CreateSchedule);
  }

  /** Let `passes` calls of a mock model through and hold the others; `null` releases them. */
  async hold(model: string, passes: number | null): Promise<void> {
    const address = new URL("/control", required("LLMBENCH_E2E_PROVIDER_URL")).href;
    expect((await this.#request.post(address, { data: { model, hold: passes } })).ok()).toBe(true);
  }

  /** Let a model of this name answer by rules until the test ends: the first whose texts are all in the question. */
  async script(model: string, says: readonly { when: string[]; say: string }[]): Promise<void> {
    this.#scripted.push(model);
    const address = new URL("/control", required("LLMBENCH_E2E_PROVIDER_URL")).href;
    expect((await this.#request.post(address, { data: { model, as: "mock-0ms", says } })).ok()).toBe(true);
  }

  /** Return the prompts that a mock model was sent, its warm-ups among them. */
  async promptsTo(model: string): Promise<string[]> {
    const address = new URL("/ledger", required("LLMBENCH_E2E_PROVIDER_URL")).href;
    const calls = (await (await this.#request.get(address)).json()) as { model: string; prompt: string }[];
    return calls.filter((one) => one.model === model).map((one) => one.prompt);
  }

  /** Create an experiment on a collection of its own, as a draft. */
  async draft(name: string, tasks: number): Promise<ExperimentOut> {
    const { provider, collection } = await this.prepare({ tasks });
    return this.#post<ExperimentOut>("/v1/experiments", {
      name,
      hypothesis: "The second model answers as well as the first one.",
      primary_metric: "pass_rate",
      guardrail_metrics: [{ metric: "latency" }],
      config: { round_size: 4, seed: 1 },
      variants: ["mock-0ms", "mock-50ms"].map((model, index) => ({ name: index === 0 ? "Control" : "Treatment", is_control: index === 0, config: { model: { provider_id: provider.id, name: model } } })),
      sources: { collection_ids: [collection.id] },
      evaluators: [{ kind: "contains", params: { text: "Answer" } }],
    } satisfies ExperimentIn);
  }

  /** Start a draft, and wait until it has stopped by itself. */
  async experiment(name: string, tasks: number): Promise<string> {
    const { experiment_id: id } = await this.draft(name, tasks);
    await this.#post(`/v1/experiments/${id}/start`, {});
    await expect.poll(async () => (await this.#get<ExperimentOut>(`/v1/experiments/${id}`)).status, { timeout: 240_000 }).toBe("PAUSED");
    return id;
  }

  async reaches(id: string, ...wanted: RunStatus[]): Promise<void> {
    await expect.poll(async () => (await this.run(id)).status).toMatch(new RegExp(`^(${wanted.join("|")})$`));
  }

  /** End all started runs: a test may start a run only when none is active. Scripted models are removed, because the mock lists no other models while they exist. */
  async end(): Promise<void> {
    const known = new Map((await this.runs()).map((run) => [run.id, run.status]));
    for (const id of this.#started) {
      const status = known.get(id);
      if (status === undefined || OVER.includes(status)) continue;
      await this.#request.post(`/api/runs/${id}/cancel`);
      await this.reaches(id, ...OVER);
    }
    const address = new URL("/control", required("LLMBENCH_E2E_PROVIDER_URL")).href;
    for (const model of this.#scripted) expect((await this.#request.post(address, { data: { model, as: null } })).ok()).toBe(true);
  }

  async #get<T>(path: string): Promise<T> {
    const response = await this.#request.get(path);
    expect(response.ok(), `GET ${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return response.json();
  }

  async #post<T>(path: string, body: unknown): Promise<T> {
    // The edge accepts changes from its own origin, or from programs that send none.
    const response = await this.#request.post(path, { data: body });
    expect(response.ok(), `POST ${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return response.json();
  }
}

/** The test with its fixtures: a page without errors, and a platform that is cleaned up afterwards. */
export const test = base.extend<{ platform: Platform; complaints: string[] }>({
  platform: async ({ request }, provide) => {
    required("LLMBENCH_E2E_URL");
    const platform = new Platform(request);
    await provide(platform);
    await platform.end();
  },
  complaints: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text())) complaints.push(message.text());
      });
      await provide(complaints);
      expect(complaints, "the page's errors, refusals of the Content-Security-Policy among them").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
