import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { formatName, runOnVersionHref, useGetDatasetQuery, useGetDatasetVersionQuery, VERSION_FORMATS, versionExportUrl } from "@/api/datasets";
import type { DatasetOut, VersionOut } from "@/api/generated/config-api";
import { Button, ButtonLink } from "@/components/Button";
import { Chip } from "@/components/Chip";
import { CopyButton } from "@/components/CopyButton";
import { type Fact, FactStrip } from "@/components/FactStrip";
import { Menu } from "@/components/Menu";
import { PageHead } from "@/components/PageHead";
import { PlainText } from "@/components/PlainText";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { forForm } from "@/lib/form-words";
import { formatBytes, formatCount, formatDate, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { useUrlText } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";
import { casesOf, metadataFields, shortHash, versionLook } from "../dataset-words";
import { Found } from "../Found";
import { CasesSection } from "./CasesSection";
import { SampleSection } from "./SampleSection";
import { canPublish, holdsCases, VersionMove, type MoveName } from "./VersionMove";

const VIEWS = [
  { value: "cases", label: "Cases" },
  { value: "sample", label: "Sample" },
] as const;

export default function VersionPage() {
  const { datasetId = "", versionNumber = "" } = useParams();
  const dataset = useGetDatasetQuery({ datasetId }, { refetchOnMountOrArgChange: true });
  const version = useGetDatasetVersionQuery({ datasetId, versionNumber: Number(versionNumber) }, { refetchOnMountOrArgChange: true });
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-5 sm:px-6">
      <Found what="dataset" query={dataset}>
        {(ofDataset) => <Found what="version" query={version}>{(found) => <Loaded key={found.version_id} dataset={ofDataset} version={found} />}</Found>}
      </Found>
    </div>
  );
}

function Loaded({ dataset, version }: { dataset: DatasetOut; version: VersionOut }) {
  const title = `${harmless(dataset.name)}, version ${version.version_number}`;
  useTitle(title);
  const navigate = useNavigate();
  const [move, setMove] = useState<MoveName | null>(null);
  const [shown, setShown] = useUrlText("show");
  const view = VIEWS.find((one) => one.value === shown)?.value ?? "cases";
  const to = `/datasets/${dataset.dataset_id}`;
  const isBad = version.validation_status === "INVALID";
  return (
    <>
      <PageHead
        title={title}
        parent={{ to, label: harmless(dataset.name) }}
        note={<Chip {...versionLook(version)} />}
        actions={
          <>
            {canPublish(version) && <Button kind="primary" icon="check" right="datasets:create" onClick={() => setMove("publish")}>Publish</Button>}
            {version.status === "PUBLISHED" && <ButtonLink right="runs:create" to={runOnVersionHref(version)} icon="play" kind="primary">Run models on it</ButtonLink>}
            {holdsCases(version) && (
              <Menu label="Export" icon="download" entries={VERSION_FORMATS.map(({ format, name, detail }) => ({ label: name, detail, download: versionExportUrl(version, format) }))} />
            )}
            {version.status === "PUBLISHED" && <Button icon="ban" right="datasets:create" onClick={() => setMove("deprecate")}>Deprecate</Button>}
            {version.status === "DRAFT" && <Button kind="danger" icon="trash" right="datasets:delete" onClick={() => setMove("delete")}>Delete</Button>}
          </>
        }
      />
      {version.description && <PlainText text={version.description} maxLines={6} className="max-w-4xl text-ink-2" />}
      <Facts version={version} />
      <Columns version={version} />
      {isBad ? (
        <Faults version={version} />
      ) : (
        <>
          <div className="flex">
            <Segments label="What is shown" options={VIEWS} value={view} onChange={(next) => setShown(next === "cases" ? "" : next)} />
          </div>
          {view === "cases" ? <CasesSection version={version} /> : <SampleSection version={version} fields={metadataFields(version)} />}
        </>
      )}
      {move && (
        <VersionMove move={move} version={version} name={dataset.name} onClose={() => setMove(null)} onDone={() => move === "delete" && void navigate(to)} />
      )}
    </>
  );
}

function Facts({ version }: { version: VersionOut }) {
  const facts: Fact[] = [
    ["Cases", formatCount(casesOf(version))],
    ["File", version.file_name ? harmless(version.file_name) : "Without a name", `${formatName(version.file_format)}, ${formatBytes(version.file_bytes)}`],
    ["Uploaded", formatDate(version.created_at)],
    ["Published", formatDate(version.published_at)],
    ...(version.deprecated_at ? [["Deprecated", formatDate(version.deprecated_at)] satisfies Fact] : []),
  ];
  const columns = version.schema.columns;
  return (
    <FactStrip label="About this version" facts={facts}>
      <div className={`min-w-0 flex-auto px-4 py-3 shadow-[0_0_0_1px_var(--line)] ${facts.length % 2 === 0 ? "col-span-2" : ""}`}>
        <dt className="text-xs text-ink-2">Hash of its cases</dt>
        <dd className="flex items-center gap-1 font-mono text-xs">
          <span title={version.content_hash}>{shortHash(version.content_hash) || "–"}</span>
          {version.content_hash !== "" && <CopyButton iconOnly label="Copy the full hash" text={() => version.content_hash} />}
        </dd>
      </div>
      {columns.length > 0 && (
        <div className="col-span-2 min-w-0 basis-full px-4 py-3 shadow-[0_0_0_1px_var(--line)]">
          <dt className="text-xs text-ink-2">{plural(columns.length, "column")}</dt>
          <dd className="mt-1 flex max-h-24 flex-wrap gap-x-3 gap-y-1 overflow-y-auto text-xs">
            {columns.map((one) => (
              <span key={one.name} className="min-w-0 wrap-anywhere">
                <span className="font-mono">{harmless(one.name)}</span> <span className="text-ink-3">{one.type}</span>
              </span>
            ))}
          </dd>
        </div>
      )}
    </FactStrip>
  );
}

/** The interpretation of columns whose names are ambiguous, and warnings to check before publishing. */
function Columns({ version }: { version: VersionOut }) {
  const { warnings } = version;
  const read = version.mapping.filter((one) => one.by !== "name");
  if (read.length === 0 && warnings.length === 0) return null;
  return (
    <Section title="How the file was read">
      {warnings.length > 0 && (
        <ul aria-label="Warnings" className="divide-y divide-line border-b border-line">
          {warnings.map((one) => <li key={one} className="px-4 py-2 text-warn wrap-anywhere">{harmless(forForm(one))}</li>)}
        </ul>
      )}
      {read.length > 0 && (
        <ul aria-label="Columns" className="flex max-h-40 flex-wrap gap-x-6 gap-y-1 overflow-y-auto px-4 py-2.5 text-xs">
          {read.map((one) => (
            <li key={one.column} className="min-w-0 wrap-anywhere">
              <span className="font-mono">{harmless(one.column)}</span> <span aria-label="became">→</span>{" "}
              <span className={one.by === "other" ? "text-ink-3" : "font-medium"}>{harmless(one.field)}</span>
              {one.by === "chosen" && <span className="text-ink-3"> as the upload says</span>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** A version kept despite bad rows: it holds only the errors. */
function Faults({ version }: { version: VersionOut }) {
  const { validation_errors: faults, validation_error_count: count } = version;
  const isHeaderBad = faults.some((one) => one.startsWith("header"));
  const badRows = plural(isHeaderBad ? count - 1 : count, "bad row");
  return (
    <Section
      title={isHeaderBad ? `A bad header${count > 1 ? ` and ${badRows}` : ""}` : badRows}
      aside={
        <div className="flex flex-wrap items-center gap-3">
          {faults.length < count && <p className="text-xs text-ink-2">The first {formatCount(faults.length)}</p>}
          <CopyButton label="Copy the list" text={() => faults.join("\n")} />
        </div>
      }
    >
      <ul tabIndex={0} aria-label="Faults" className="max-h-96 divide-y divide-line overflow-y-auto">
        {faults.map((one) => (
          <li key={one} className="px-4 py-2 wrap-anywhere text-bad">{harmless(one)}</li>
        ))}
      </ul>
      <p className="border-t border-line px-4 py-3 text-ink-2">This version has no valid case and cannot be published. Correct the file and upload it as another version.</p>
    </Section>
  );
}
