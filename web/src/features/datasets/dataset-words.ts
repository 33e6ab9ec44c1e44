/** Labels of dataset types and the looks of the states of datasets and versions. */

import type { DatasetOut, DatasetType, VersionOut, VersionStatus } from "@/api/generated/config-api";
import type { ChipLook } from "@/components/Chip";

export const TYPE_LABELS: Readonly<Record<DatasetType, string>> = {
  EVALUATION: "Evaluation",
  BENCHMARK: "Benchmark",
  GOLDEN_SET: "Golden set",
  ANNOTATION_QUEUE: "Annotation queue",
};
export const DATASET_TYPES = Object.keys(TYPE_LABELS) as DatasetType[];

const LOOKS: Readonly<Record<VersionStatus, ChipLook>> = {
  DRAFT: { label: "Draft", tone: "neutral", icon: "pencil" },
  PUBLISHED: { label: "Published", tone: "good", icon: "check" },
  DEPRECATED: { label: "Deprecated", tone: "warn", icon: "ban" },
};

export function versionLook(version: Pick<VersionOut, "status" | "validation_status">): ChipLook {
  return version.validation_status === "INVALID" ? { label: "Bad rows", tone: "bad", icon: "alert" } : LOOKS[version.status];
}

/** Return the look of a dataset's state: which version a run can use. */
export function datasetLook({ latest_version, published_version }: DatasetOut): ChipLook {
  if (latest_version === null) return { label: "No version yet", tone: "neutral", icon: "ring" };
  if (published_version === null) return { label: "Not published", tone: "neutral", icon: "pencil" };
  return { label: published_version === latest_version ? "Published" : `Version ${published_version} published`, tone: "good", icon: "check" };
}

/** A version kept despite bad rows has no cases. */
export const casesOf = (version: Pick<VersionOut, "row_count" | "validation_status">) => (version.validation_status === "INVALID" ? 0 : version.row_count);

/** Return the first digits of a hash. */
export const shortHash = (hash: string) => hash.slice(0, 12);

/** Columns of a file that are not metadata. In a name with a dot, the part before the dot is the object. */
const CASE_COLUMNS = new Set(["id", "task_id", "input", "prompt", "question", "context", "system_prompt", "conversation", "expected_output", "expected_answer", "ground_truth"]);

/** The metadata fields that a version's columns name. */
export function metadataFields(version: Pick<VersionOut, "schema">): string[] {
  return version.schema.columns
    .map((one) => one.name.replace(/^metadata\./, ""))
    .filter((name) => name !== "metadata" && !CASE_COLUMNS.has(name.split(".")[0] ?? ""));
}
