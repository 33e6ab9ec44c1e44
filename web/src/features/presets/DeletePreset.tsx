import type { PresetOut } from "@/api/generated/config-api";
import { useDeletePresetMutation } from "@/api/presets";
import { DeleteDialog } from "@/components/DeleteDialog";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";

export function DeletePreset({ preset, onClose, onDeleted }: { preset: PresetOut; onClose: () => void; onDeleted: () => void }) {
  const [remove, removing] = useDeletePresetMutation();
  const confirm = async () => {
    if ((await remove({ id: preset.id })).error) return;
    toast(`${harmless(preset.name)} is deleted.`);
    onDeleted();
  };
  return (
    <DeleteDialog title="Delete this preset?" name={preset.name} busy={removing.isLoading} error={removing.error} onClose={onClose} onConfirm={() => void confirm()}>
      will no longer be offered. Its runs stay as they are.
    </DeleteDialog>
  );
}
