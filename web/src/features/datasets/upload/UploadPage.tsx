import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { useGetDatasetQuery, VERSION_FORMATS, type VersionFormat } from "@/api/datasets";
import type { BadRowOut, DatasetOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { SelectField, TextAreaField } from "@/components/Field";
import { FileDrop } from "@/components/FileDrop";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { ProgressBar } from "@/components/ProgressBar";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { errorAt } from "@/lib/form-errors";
import { formatBytes, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { Found } from "../Found";
import { ColumnMap, type ColumnMapping } from "./ColumnMap";
import { FaultList } from "./FaultList";
import { columnsOf, type FileColumn } from "./file-columns";
import { FileShapes } from "./FileShapes";
import { useUpload } from "./useUpload";

const MOST_BYTES = 256 * 1024 * 1024;

export default function UploadPage() {
  useTitle("Upload a version");
  const { datasetId = "" } = useParams();
  const query = useGetDatasetQuery({ datasetId }, { refetchOnMountOrArgChange: true });
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      <Found what="dataset" query={query}>{(dataset) => <Form key={dataset.dataset_id} dataset={dataset} />}</Found>
    </div>
  );
}

function Form({ dataset }: { dataset: DatasetOut }) {
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<VersionFormat | "auto">("auto");
  const [description, setDescription] = useState("");
  const [columns, setColumns] = useState<FileColumn[] | null>(null);
  const [mapping, setMapping] = useState<ColumnMapping>({});
  const upload = useUpload();
  const isTooLarge = file !== null && file.size > MOST_BYTES;
  const problem = isTooLarge
    ? { data: { title: "This file is too large", detail: `${file.name} has ${formatBytes(file.size)}, and a version has at most 256 MiB. Upload it in parts.` } }
    : upload.error;
  const { fields, body } = toProblem(problem);
  const faults = Array.isArray(body.bad_rows) ? (body.bad_rows as BadRowOut[]) : [];

  const choose = (chosen: File) => {
    upload.stop();
    // The chosen format belonged to the other file.
    if (chosen.name !== file?.name) setFormat("auto");
    setFile(chosen);
    // Keep the mapping of columns that the new file also has: it may be a corrected copy of the same file.
    void columnsOf(chosen).then((found) => {
      setColumns(found);
      if (found) setMapping((now) => Object.fromEntries(Object.entries(now).filter(([name]) => found.some((one) => one.name === name))));
    }, () => setColumns(null));
  };
  const start = async () => {
    if (!file || isTooLarge || upload.sent !== null) return;
    const version = await upload.start({ datasetId: dataset.dataset_id, file, fileName: file.name, description, map: Object.entries(mapping).map((pair) => pair.join("=")), ...(format !== "auto" && { format }) });
    if (!version) return;
    toast(`Version ${version.version_number} is uploaded: ${plural(version.row_count, "case")}.`);
    void navigate(`/datasets/${dataset.dataset_id}/versions/${version.version_number}`);
  };

  return (
    <>
      <PageHead title="Upload a version" parent={{ to: `/datasets/${dataset.dataset_id}`, label: harmless(dataset.name) }} />
      <FileDrop
        label="File of test cases"
        invitation="Drop a file of test cases here, or choose one"
        hint="CSV, JSON, JSON Lines, Parquet or YAML ground truth; at most 256 MiB and 500,000 rows"
        accept=".csv,.tsv,.json,.jsonl,.ndjson,.parquet,.yaml,.yml"
        file={file && { name: file.name, bytes: file.size }}
        onFile={choose}
      >
        {!file && <FileShapes />}
      </FileDrop>
      {file && (
        <form
          className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]"
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <div className="flex min-w-0 flex-col gap-4 max-lg:order-2">
            {problem !== undefined && <ProblemNote error={problem} />}
            {faults.length > 0 && (
              <>
                <FaultList faults={faults} bad={Number(body.bad_row_count)} rows={Number(body.row_count)} />
                <p className="text-ink-2">Nothing was stored. Assign the columns below, or correct the file and choose it again. Then upload it.</p>
              </>
            )}
            {upload.sent === null && problem === undefined && (
              <p className="text-ink-2">
                Every row is checked before anything is stored. A file without faults becomes a draft that you can review before you publish it.
              </p>
            )}
            {upload.sent === null && (
              <ColumnMap
                key={file.name}
                columns={columns}
                mapping={mapping}
                error={errorAt(fields, "map")}
                onChange={(next) => {
                  upload.forget();
                  setMapping(next);
                }}
              />
            )}
            {upload.sent !== null && <Sending share={upload.sent} bytes={file.size} onStop={upload.stop} />}
          </div>
          <Section title="Reading the file" className="lg:sticky lg:top-4">
            <div className="flex flex-col gap-4 px-4 py-3">
              <SelectField
                label="Format"
                value={format}
                error={errorAt(fields, "format")}
                options={[{ value: "auto" as const, label: "From the file’s name" }, ...VERSION_FORMATS.map((one) => ({ value: one.format, label: one.name }))]}
                onChange={(next) => {
                  upload.forget();
                  setFormat(next);
                }}
              />
              <TextAreaField label="Changes in this version" rows={2} maxLength={10_000} value={description} error={errorAt(fields, "description")} onChange={setDescription} />
              <Button kind="primary" icon="up" type="submit" disabled={upload.sent !== null || isTooLarge}>
                {upload.sent === null ? "Upload" : "Uploading…"}
              </Button>
            </div>
          </Section>
        </form>
      )}
    </>
  );
}

function Sending({ share, bytes, onStop }: { share: number; bytes: number; onStop: () => void }) {
  const percent = Math.floor(share * 100);
  return (
    <Section title={share < 1 ? "Sending the file" : "Checking the rows"} aside={<Button icon="cross" onClick={onStop}>Give up</Button>}>
      <div className="flex flex-col gap-2 px-4 py-4">
        <ProgressBar label="Sent" segments={[{ name: "percent sent", value: percent, tone: "info" }]} total={100} done={percent} />
        <p role="status" className="text-xs text-ink-2">
          {share < 1 ? `${percent}% of ${formatBytes(bytes)}` : "The file has arrived; its rows are read one by one. A large file takes up to a minute."}
        </p>
      </div>
    </Section>
  );
}
