import type { ReactNode } from "react";
import { Link } from "react-router";
import { useGetPresetQuery } from "@/api/presets";
import { Skeleton } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { withPreset } from "./preset-form";
import type { RunForm } from "./run-form";

/** Load a preset, and give the form of a run what it says. */
export function OnPreset({ id, children }: { id: string; children: (part: Partial<RunForm>) => ReactNode }) {
  const { currentData: preset, isError, error, refetch } = useGetPresetQuery({ id });
  if (isError) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!preset) return <Skeleton className="h-96" />;
  return (
    <>
      <p className="text-ink-2">With the settings of the preset <Link to={`/presets/${preset.id}`} className="font-medium wrap-anywhere text-accent hover:underline">{harmless(preset.name)}</Link>.</p>
      {children(withPreset(preset))}
    </>
  );
}
