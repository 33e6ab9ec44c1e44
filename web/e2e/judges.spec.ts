import type { CreateJudgeCheck, JudgeCheckDetail } from "../src/api/generated/orchestrator";
import { look } from "./look";
import { expect, test } from "./platform";
import { post, unique } from "./setup";

const HOSTILE = "<img src=x onerror=alert(1)>";

test("judges that were checked stand side by side, with the cases that they got wrong", async ({ page, platform, request }) => {
  const { provider } = await platform.prepare({ tasks: 1 });
  const set = {
    name: `Capitals ${unique()}`,
    cases: [
      { id: "terse", category: "terse", question: "What is the capital of Australia?", first: "Canberra.", second: `Sydney is the capital of Australia. ${HOSTILE}`, right: "first", reason: "Canberra is the capital." },
      { id: "plain", category: "plain", question: `And of Austria? ${unique()}`, answer: "Vienna.", right: "pass" },
    ],
  } satisfies CreateJudgeCheck["set"];
  const ids: string[] = [];
  for (const model of ["mock-0ms-judge", "mock-0ms-unparsed"]) {
    const check = await post<JudgeCheckDetail>(request, "/api/judge-checks", { judge: { provider_id: provider.id, model }, set, check_providers: false } satisfies CreateJudgeCheck);
    platform.ends(check.id);
    await platform.reaches(check.id, "FINISHED");
    ids.push(check.id);
  }
  await page.goto("/judges");
  const judges = page.getByRole("group", { name: `Judges on ${set.name}` });
  await expect(judges.getByRole("link", { name: "mock-0ms-judge" })).toBeVisible();
  await expect(judges.getByRole("link", { name: "mock-0ms-unparsed" })).toBeVisible();
  await look(page, "judges side by side");
  await judges.getByRole("link", { name: "mock-0ms-unparsed" }).click();
  await expect(page).toHaveURL(new RegExp(`check=${ids[1]}`));
  await page.getByRole("button", { name: "All" }).click();
  await page.getByText("What is the capital of Australia?").click();
  await expect(page.getByText(HOSTILE)).toBeVisible();
  await look(page, "a judge that was checked");
});

test("a person overrules a judge, and the results show it as a revision of its own", async ({ page, platform }) => {
  const run = await platform.start({ name: "Overruled", models: ["mock-0ms"], tasks: 3 });
  await platform.reaches(run.id, "FINISHED");
  const [item] = await platform.items(run.id);
  await page.goto(`/runs/${run.id}/items?item=${item!.id}`);
  const panel = page.getByRole("dialog");
  await panel.getByRole("button", { name: "Overrule" }).click();
  const form = panel.getByRole("form", { name: "Overrule" });
  // The mock gives integers only.
  await form.getByLabel(/^Score, 0 to 10/).fill("2.5");
  await form.getByLabel(/^Your name/).fill("Ada");
  await form.getByLabel(/^Reason/).fill(`It is wrong. ${HOSTILE}`);
  await look(page, "the form that overrules", panel);
  await form.getByRole("button", { name: "Overrule" }).click();
  const given = panel.getByRole("region", { name: "Overruling of rubric" });
  await expect(given).toContainText(/→ 2\.50 by Ada: It is wrong\. <img src=x onerror=alert\(1\)>, (just now|\d+\smin ago)/);
  await expect(panel.getByText("By a person")).toBeVisible();
  await look(page, "an overruled score", panel);

  await page.goto(`/runs/${run.id}`);
  const evaluators = page.getByRole("group", { name: "Results by evaluator" });
  const corrected = evaluators.getByRole("row").filter({ hasText: "mock-0ms-judge corrected by people" });
  await expect(corrected).toContainText("3 of 3");
  await expect(corrected.getByText("primary", { exact: true })).toBeHidden();
  await corrected.getByRole("button", { name: /Make primary/ }).click();
  await expect(corrected.getByText("primary", { exact: true })).toBeVisible();
  expect((await platform.items(run.id))[0]?.score).toBe(2.5);

  await page.goto(`/runs/${run.id}/items?item=${item!.id}`);
  await given.getByRole("button", { name: "Withdraw" }).click();
  await given.getByLabel(/^Your name/).fill("Bo");
  await given.getByRole("form", { name: "Withdraw" }).getByRole("button", { name: "Withdraw" }).click();
  await given.getByText("2 earlier changes").click();
  await expect(given).toContainText("Withdrawn by Bo");
  expect((await platform.items(run.id))[0]?.score, "the judge’s own").toBe(item!.score);
});
