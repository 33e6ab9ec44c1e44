import type { PromptOut } from "@/api/generated/config-api";
import { useDeletePromptMutation } from "@/api/prompts";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";

interface Props {
  prompt: PromptOut;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeletePrompt({ prompt, onClose, onDeleted }: Props) {
  const [remove, removing] = useDeletePromptMutation();
  const confirm = async () => {
    const answer = await remove({ id: prompt.id });
    if (answer.error) return;
    toast(`${prompt.name} is deleted.`);
    onClose();
    onDeleted();
  };
  return (
    <ConfirmDialog open onClose={onClose} title="Delete this prompt?" name={prompt.name} action="Delete the prompt" busy={removing.isLoading} error={removing.error} onConfirm={() => void confirm()}>
      <p>All of it is deleted: {plural(prompt.newest.number, "version")}. Runs that used it stay as they are, because they have copies.</p>
    </ConfirmDialog>
  );
}
