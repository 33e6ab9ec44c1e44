import { lazy, Suspense, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { useCreator } from "@/api/creator";
import type { PresetOut } from "@/api/generated/config-api";
import { useGetPresetQuery } from "@/api/presets";
import { Baselines } from "@/components/baselines/Baselines";
import { ButtonLink } from "@/components/Button";
import { FactStrip, type Fact } from "@/components/FactStrip";
import { Menu } from "@/components/Menu";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { loadCode } from "@/live/reach";
import { SETTINGS } from "./preset-settings";

const PresetDialog = lazy(() => loadCode(async () => ({ default: (await import("./PresetDialog")).PresetDialog })));
const DeletePreset = lazy(() => loadCode(async () => ({ default: (await import("./DeletePreset")).DeletePreset })));

/** `/presets/:presetId`: the settings of a preset, and the baselines of its runs. */
export default function PresetPage() {
  const { presetId = "" } = useParams();
  const query = useGetPresetQuery({ id: presetId }, { refetchOnMountOrArgChange: true });
  useTitle(query.currentData ? harmless(query.currentData.name) : "Preset");
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">
      {query.currentData ? (
        <Loaded key={presetId} preset={query.currentData} />
      ) : !query.isError ? (
        <Skeleton className="h-96" />
      ) : [404, 422].includes(toProblem(query.error).status ?? 0) ? (
        <>
          <PageHead title="Preset" parent={{ to: "/presets", label: "All presets" }} />
          <Message icon="ring" title="There is no such preset">
            <p>It may have been deleted, or the link is incomplete. All presets are in the list.</p>
          </Message>
        </>
      ) : (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      )}
    </div>
  );
}

function Loaded({ preset }: { preset: PresetOut }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"change" | "delete" | null>(null);
  const creator = useCreator(preset.created_by);
  const close = () => setAsked(null);
  const facts: Fact[] = SETTINGS.map(({ name, label, usual }) => [label, String(preset.settings[name] ?? usual)]);
  return (
    <>
      <PageHead
        title={harmless(preset.name)}
        parent={{ to: "/presets", label: "All presets" }}
        actions={
          <>
            <Menu
              label="More about the preset"
              icon="more"
              iconOnly
              entries={[
                { label: "Change…", icon: "pencil", right: "presets:update", onSelect: () => setAsked("change") },
                { label: "Delete…", icon: "trash", danger: true, right: "presets:delete", onSelect: () => setAsked("delete") },
              ]}
            />
            <ButtonLink kind="primary" icon="play" right="runs:create" to={`/runs/new?preset=${preset.id}`}>New run</ButtonLink>
          </>
        }
      />
      {preset.description && <PlainText text={preset.description} maxLines={4} className="max-w-4xl text-ink-2" />}
      <FactStrip label="The preset" facts={[...facts, ...creator]} />
      {preset.notes.map((note) => <p key={note} className="text-xs text-ink-2">{harmless(note)}</p>)}
      <Baselines subject={{ kind: "preset", id: preset.id }} />
      <Suspense>{asked === "change" && <PresetDialog preset={preset} onClose={close} />}</Suspense>
      <Suspense>{asked === "delete" && <DeletePreset preset={preset} onClose={close} onDeleted={() => void navigate("/presets")} />}</Suspense>
    </>
  );
}
