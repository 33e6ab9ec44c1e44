import { lazy, Suspense, useState } from "react";
import { useNavigate } from "react-router";
import type { RunDetail, RunStatus } from "@/api/generated/orchestrator";
import { Menu } from "@/components/Menu";
import { loadCode } from "@/live/reach";
import { againEntry } from "../again";

const DeleteRunDialog = lazy(() => loadCode(async () => ({ default: (await import("../DeleteRunDialog")).DeleteRunDialog })));
const EditRunDialog = lazy(() => loadCode(async () => ({ default: (await import("./EditRunDialog")).EditRunDialog })));
const PromoteDialog = lazy(() => loadCode(async () => ({ default: (await import("../gates/PromoteDialog")).PromoteDialog })));
const OtherJudgeDialog = lazy(() => loadCode(async () => ({ default: (await import("../failures/OtherJudgeDialog")).OtherJudgeDialog })));

/** The menu of further actions on a run. */
export function RunMenu({ run, status }: { run: RunDetail; status: RunStatus }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "judge" | "promote" | "delete" | null>(null);
  const close = () => setOpen(null);
  const active = status === "RUNNING" || status === "PAUSING";
  return (
    <>
      <Menu
        label="More actions"
        icon="more"
        iconOnly
        entries={[
          { label: "Edit name, tags, notes", icon: "pencil", right: "runs:update", onSelect: () => setOpen("edit") },
          ...(run.type === "BENCHMARK" ? [againEntry(run)] : []),
          ...(run.type === "BENCHMARK" ? [{ label: "Trend", icon: "clock" as const, to: run.suite ? `/trends?suite=${encodeURIComponent(run.suite.name)}` : `/trends?name=${encodeURIComponent(run.name)}` }] : []),
          {
            label: "Ask another judge",
            icon: "scale",
            right: "runs:create",
            disabled: status !== "FINISHED",
            onSelect: () => setOpen("judge"),
            ...(status !== "FINISHED" && { detail: "Once the run is finished." }),
          },
          {
            label: "Let people label answers",
            icon: "pencil",
            right: "annotation-tasks:create",
            to: `/annotation/new?run=${run.id}`,
            disabled: status !== "FINISHED" && status !== "CANCELLED",
            ...(status !== "FINISHED" && status !== "CANCELLED" && { detail: "Once the run is over." }),
          },
          {
            label: "Promote to baseline",
            icon: "up",
            right: "runs:create",
            disabled: status !== "FINISHED",
            onSelect: () => setOpen("promote"),
            ...(status !== "FINISHED" && { detail: "Once the run is finished." }),
          },
          { label: "Delete", icon: "trash", danger: true, right: "runs:delete", disabled: active, onSelect: () => setOpen("delete"), ...(active && { detail: "Pause or cancel it first." }) },
        ]}
      />
      <Suspense>
        {open === "edit" && <EditRunDialog run={run} open onClose={close} />}
        {open === "judge" && <OtherJudgeDialog run={run} open itemIds={null} onClose={close} />}
        {open === "promote" && <PromoteDialog run={run} onClose={close} />}
        {open === "delete" && <DeleteRunDialog run={{ id: run.id, name: run.name, items: run.counts.items }} onClose={close} onDeleted={() => void navigate("/runs")} />}
      </Suspense>
    </>
  );
}
