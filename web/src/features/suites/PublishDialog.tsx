import type { SuiteOut } from "@/api/generated/config-api";
import { usePublishSuiteMutation } from "@/api/suites";
import { Button } from "@/components/Button";
import { AlertDialog } from "@/components/Dialog";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";

interface Props {
  suite: Pick<SuiteOut, "id" | "version_number">;
  onClose: () => void;
  onPublished?: () => void;
}

export function PublishDialog({ suite, onClose, onPublished = onClose }: Props) {
  const [publish, publishing] = usePublishSuiteMutation();
  const confirm = async () => {
    const answer = await publish({ id: suite.id });
    if (!answer.data) return;
    toast(`Version ${answer.data.version_number} is published.`);
    onPublished();
  };
  return (
    <AlertDialog open onClose={onClose} title={`Publish version ${suite.version_number}?`}>
      <p className="mt-2 text-ink-2">A published version can run, and it never changes: a later change makes the next version. A dataset cannot be deleted while the version uses it.</p>
      {publishing.error !== undefined && <div className="mt-3"><ProblemNote error={publishing.error} /></div>}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Not now</Button>
        <Button kind="primary" disabled={publishing.isLoading} data-autofocus onClick={() => void confirm()}>
          {publishing.isLoading ? "Publishing…" : "Publish it"}
        </Button>
      </div>
    </AlertDialog>
  );
}
