import { exportUrl, EXPORT_FORMATS, type ItemFilter } from "@/api/runs";
import { Menu } from "@/components/Menu";

interface Props {
  runId: string;
  label: string;
  filter?: ItemFilter;
}

/** What is chosen, streamed by the server as a file. */
export function ExportMenu({ runId, label, filter = {} }: Props) {
  return (
    <Menu
      label={label}
      icon="download"
      entries={EXPORT_FORMATS.map(({ format, name, detail }) => ({ label: name, detail, download: exportUrl(runId, format, filter) }))}
    />
  );
}
