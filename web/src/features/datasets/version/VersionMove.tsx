/** Dialogs that publish, deprecate or delete a version. */

import { runOnVersionHref, useDeleteDatasetVersionMutation, useDeprecateDatasetVersionMutation, usePublishDatasetVersionMutation, VERSION_FORMATS, versionExportUrl } from "@/api/datasets";
import type { VersionOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { AlertDialog } from "@/components/Dialog";
import type { MenuEntry } from "@/components/Menu";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

export type MoveName = "publish" | "deprecate" | "delete";

export const canPublish = (version: VersionOut) => version.status === "DRAFT" && version.validation_status === "VALID";
export const holdsCases = (version: VersionOut) => version.validation_status === "VALID" && version.row_count > 0;

export function versionEntries(version: VersionOut, onMove: (move: MoveName) => void): MenuEntry[] {
  const { status } = version;
  return [
    ...(status === "PUBLISHED" ? [{ label: "Run models on it", icon: "play", right: "runs:create", to: runOnVersionHref(version) } as const] : []),
    ...(canPublish(version) ? [{ label: "Publish…", icon: "check", right: "datasets:create", onSelect: () => onMove("publish") } as const] : []),
    ...(status === "PUBLISHED" ? [{ label: "Deprecate…", icon: "ban", right: "datasets:create", onSelect: () => onMove("deprecate") } as const] : []),
    ...(holdsCases(version) ? VERSION_FORMATS.map(({ format, name }) => ({ label: `Export as ${name}`, icon: "download", download: versionExportUrl(version, format) }) as const) : []),
    ...(status === "DRAFT" ? [{ label: "Delete…", icon: "trash", danger: true, right: "datasets:delete", onSelect: () => onMove("delete") } as const] : []),
  ];
}

interface Props {
  move: MoveName;
  version: VersionOut;
  /** The dataset's name. */
  name: string;
  onClose: () => void;
  onDone?: () => void;
}

const WORDS: Readonly<Record<MoveName, { title: string; action: string; done: string; danger: boolean }>> = {
  publish: { title: "Publish this version?", action: "Publish it", done: "is published", danger: false },
  deprecate: { title: "Deprecate this version?", action: "Deprecate it", done: "is deprecated", danger: true },
  delete: { title: "Delete this draft?", action: "Delete it", done: "is deleted", danger: true },
};

function consequence(move: MoveName, version: VersionOut): string {
  switch (move) {
    case "publish":
      return `Runs may then draw on its ${plural(version.row_count, "case")}. What it holds never changes after that: a correction is another version.`;
    case "deprecate":
      return "New runs can no longer draw on it. Runs that did keep their copies, and it can still be read and exported. It cannot be published again.";
    case "delete":
      return `Its ${plural(version.row_count, "case")} and its file are deleted permanently. Only a draft can be deleted.`;
  }
}

export function VersionMove({ move, version, name, onClose, onDone }: Props) {
  const [publish, publishing] = usePublishDatasetVersionMutation();
  const [deprecate, deprecating] = useDeprecateDatasetVersionMutation();
  const [remove, removing] = useDeleteDatasetVersionMutation();
  const words = WORDS[move];
  const busy = publishing.isLoading || deprecating.isLoading || removing.isLoading;
  const error = publishing.error ?? deprecating.error ?? removing.error;
  const confirm = async () => {
    const arg = { datasetId: version.dataset_id, versionNumber: version.version_number };
    const answer = await (move === "publish" ? publish(arg) : move === "deprecate" ? deprecate(arg) : remove(arg));
    if (answer.error) return;
    toast(`Version ${version.version_number} of ${harmless(name)} ${words.done}.`);
    onClose();
    onDone?.();
  };
  return (
    <AlertDialog open onClose={onClose} title={words.title}>
      <p className="mt-2 text-ink-2">
        <span className="font-medium wrap-anywhere text-ink">
          {harmless(name)}, version {version.version_number}.
        </span>{" "}
        {consequence(move, version)}
      </p>
      {error !== undefined && <div className="mt-3"><ProblemNote error={error} /></div>}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Not now</Button>
        <Button kind={words.danger ? "danger" : "primary"} disabled={busy} onClick={() => void confirm()}>
          {busy ? "Working…" : words.action}
        </Button>
      </div>
    </AlertDialog>
  );
}
