import { Link } from "react-router";
import { useDeleteProviderMutation } from "@/api/providers";
import type { ProviderOut, RunRef } from "@/api/generated/config-api";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";

function isRunRef(value: unknown): value is RunRef {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" && "name" in value && typeof value.name === "string";
}

/** The runs that a refusal names. */
export function runsInTheWay(error: unknown): RunRef[] {
  const { runs } = error === undefined || error === null ? {} : toProblem(error).body;
  return Array.isArray(runs) ? runs.filter(isRunRef) : [];
}

export function DeleteProvider({ provider, onClose }: { provider: ProviderOut; onClose: () => void }) {
  const [remove, removing] = useDeleteProviderMutation();
  const runs = runsInTheWay(removing.error);
  const confirm = async () => {
    const answer = await remove({ id: provider.id });
    if (answer.error) return;
    toast(`${provider.name} is deleted.`);
    onClose();
  };
  return (
    <ConfirmDialog open onClose={onClose} title="Delete this provider?" name={provider.name} action="Delete the provider" busy={removing.isLoading} error={removing.error} onConfirm={() => void confirm()}>
      {runs.length > 0 ? (
        <>
          <p>These runs used it. Delete them first, or keep the provider.</p>
          <ul className="mt-2 max-h-40 list-disc overflow-y-auto pl-5">
            {runs.map((one) => (
              <li key={one.id}>
                <Link to={`/runs/${one.id}`} className="font-medium text-accent underline underline-offset-2 wrap-anywhere">{harmless(one.name)}</Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>The provider’s address, secrets and prices are deleted permanently. A provider that runs have used cannot be deleted.</p>
      )}
    </ConfirmDialog>
  );
}
