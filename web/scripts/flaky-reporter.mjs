// Lists the tests that failed once and passed the second time, each with its first failure.

/** @implements {import("vitest/node").Reporter} */
export default class FlakyReporter {
  onTestRunEnd(modules) {
    const flaky = modules.flatMap((module) => [...module.children.allTests()]).filter((test) => test.diagnostic()?.flaky);
    if (flaky.length === 0) return;
    console.log(`\n══ flaky: ${flaky.length} failed once and passed the second time. The first failure of each:`);
    for (const test of flaky) {
      const [first] = test.result().errors ?? [];
      console.log(`\n── ${test.module.relativeModuleId} > ${test.fullName}\n${first?.stack ?? first?.message ?? "no reason is known"}`);
    }
  }
}
