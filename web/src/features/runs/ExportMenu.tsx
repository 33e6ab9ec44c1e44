import type { RunSummary } from "@/api/generated/orchestrator";
import { exportFormatsOf, exportUrl, useListExportFormatsQuery, type ItemFilter } from "@/api/results";
import { Menu, type MenuEntry } from "@/components/Menu";

interface Props {
  run: Pick<RunSummary, "id" | "targets" | "evaluators">;
  label: string;
  filter?: ItemFilter;
  /** Entries below the formats. */
  more?: readonly MenuEntry[];
}

/** Export the chosen items in one of the server's formats. */
export function ExportMenu({ run, label, filter = {}, more = [] }: Props) {
  const { data, isError, refetch } = useListExportFormatsQuery();
  const formats = exportFormatsOf(data?.items ?? [], run, filter);
  return (
    <Menu
      label={label}
      icon="download"
      entries={[
        ...(data
          ? formats.map(({ name, title, description }) => ({ label: title, detail: description, download: exportUrl(run.id, name, filter) }))
          : isError
            ? [{ label: "Try again", detail: "The formats could not be loaded.", onSelect: () => void refetch() }]
            : [{ label: "Loading the formats…", disabled: true }]),
        ...more,
      ]}
    />
  );
}
