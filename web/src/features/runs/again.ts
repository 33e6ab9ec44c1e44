import type { RunSummary } from "@/api/generated/orchestrator";

/** The entry of a run's menu that leads to a further run like it. A run of a suite is started from the suite. */
export function againEntry({ id, subject }: Pick<RunSummary, "id" | "subject">) {
  const to = subject?.kind === "suite" ? `/suites/${subject.id}` : `/runs/new?clone=${encodeURIComponent(id)}`;
  return { label: subject?.kind === "suite" ? "Run the suite again" : "Clone", icon: "copy", right: "runs:create", to } as const;
}
