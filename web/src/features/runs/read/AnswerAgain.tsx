import { useState } from "react";
import { useNavigate } from "react-router";
import type { AskPlayground } from "@/api/generated/orchestrator";
import { useAskPlaygroundMutation } from "@/api/playground";
import { Button } from "@/components/Button";
import { AlertDialog } from "@/components/Dialog";
import { ProblemNote } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { uniqueKey } from "@/lib/unique-key";

/** Ask the target of an item once more, and show the new answer as it comes. */
export function AnswerAgain({ request, onClose }: { request: AskPlayground; onClose: () => void }) {
  const navigate = useNavigate();
  const [ask, asking] = useAskPlaygroundMutation();
  // The same request sent twice, after a lost response, is one paid call.
  const [key] = useState(uniqueKey);
  const confirm = async () => {
    const answer = await ask({ askPlayground: request, "Idempotency-Key": key });
    if (answer.data) void navigate(`/playground?run=${encodeURIComponent(answer.data.id)}`);
  };
  return (
    <AlertDialog open onClose={onClose} title="Answer it again?">
      <p className="mt-2 text-ink-2">
        <span className="font-medium wrap-anywhere text-ink">{harmless(request.targets[0]?.label ?? "")}</span> gets the same question with the
        same settings. It is a new, paid call in a run of its own, shown in the playground. This run and its figures stay as they are.
      </p>
      {asking.error !== undefined && <div className="mt-3"><ProblemNote error={asking.error} /></div>}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" icon="retry" disabled={asking.isLoading} onClick={() => void confirm()}>{asking.isLoading ? "Asking…" : "Ask again"}</Button>
      </div>
    </AlertDialog>
  );
}
