import { useCallback, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { ImportResult } from "@/api/generated/config-api";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { formatBytes, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { writeOne } from "@/lib/url-state";
import { useTitle } from "@/lib/use-title";
import { Imported } from "./Imported";
import { USUAL_PLAN, type Destination, type ImportPlan } from "./import-plan";
import { rememberedMapping } from "./remembered";
import { Review } from "./Review";
import { Shapes } from "./Shapes";
import { SourceField } from "./SourceField";
import { sourceOf, type Source } from "./use-check";
import type { Published } from "./use-publish";

const MOST_BYTES: Readonly<Record<Destination, number>> = { tasks: 20 * 1024 * 1024, dataset: 256 * 1024 * 1024 };

/** The one importer of files: into tasks, or into a version of a dataset. `?to=dataset&dataset=…` and `?collection=…` preset where the rows go. */
export default function ImportPage() {
  useTitle("Import");
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const [plan, setPlan] = useState<ImportPlan>(() => ({
    ...USUAL_PLAN,
    to: params.get("to") === "dataset" ? "dataset" : "tasks",
    dataset: params.get("dataset") ?? "",
    collection: params.get("collection") ?? "",
  }));
  const [source, setSource] = useState<Source | null>(null);
  const turns = useRef(0);
  const [isRemembered, setRemembered] = useState(false);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const [done, setDone] = useState<ImportResult | null>(null);

  const change = (next: ImportPlan) => {
    setPlan(next);
    if (next.mapping !== plan.mapping) setRemembered(false);
    if (next.to !== plan.to) setParams((now) => writeOne(now, "to", next.to), { replace: true });
  };
  const choose = useCallback(async (chosen: File) => {
    // The server would refuse the file only after the upload.
    if (chosen.size > MOST_BYTES.dataset) return setUnreadable(`${chosen.name} is larger than 256 MiB: import it in parts.`);
    turns.current += 1;
    const turn = turns.current;
    try {
      const next = await sourceOf(chosen, turn);
      // Another file was chosen while this one was read.
      if (turn !== turns.current) return;
      const names = next.head.columns?.map((one) => one.name) ?? [];
      const remembered = names.length > 0 ? rememberedMapping(names) : null;
      setRemembered(remembered !== null);
      setSource(next);
      setDone(null);
      setUnreadable(null);
      // Keep the mapping of columns that the new file also has: it may be a corrected copy of the same file. The chosen format belonged to the other file.
      setPlan((now) => ({ ...now, format: null, mapping: remembered ?? new Map([...now.mapping].filter(([name]) => names.includes(name))) }));
    } catch {
      if (turn !== turns.current) return;
      // A folder, or a file that was deleted.
      setUnreadable(`${chosen.name} cannot be read. Choose a file, not a folder.`);
    }
  }, []);
  const onFile = useCallback((chosen: File) => void choose(chosen), [choose]);
  const onDone = (published: Published) => {
    if ("tasks" in published) return setDone(published.tasks);
    const { version } = published;
    toast(`Version ${version.version_number} is ${version.status === "PUBLISHED" ? "published" : "stored as a draft"}: ${plural(version.row_count, "case")}.`);
    void navigate(`/datasets/${version.dataset_id}/versions/${version.version_number}`);
  };
  const again = () => {
    setDone(null);
    setSource(null);
  };
  const tooLarge = source !== null && source.bytes > MOST_BYTES[plan.to];
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      <PageHead title="Import" parent={plan.to === "tasks" ? { to: "/tasks", label: "All tasks" } : { to: "/datasets", label: "All datasets" }} />
      {done ? (
        <Imported result={done} text={source?.head.text ?? ""} onAgain={again} />
      ) : (
        <SourceField file={source && { name: source.name, bytes: source.bytes }} onFile={onFile}>
          {unreadable && <ProblemNote error={{ data: { title: "This file cannot be imported", detail: harmless(unreadable) } }} />}
          {tooLarge && (
            <ProblemNote error={{ data: { title: "This file is too large for tasks", detail: `It has ${formatBytes(source.bytes)}, and a file of tasks has at most 20 MiB. Import it in parts, or into a dataset.` } }} />
          )}
          {source ? <Review key={source.turn} source={source} plan={plan} isRemembered={isRemembered} isTooLarge={tooLarge} onPlan={change} onDone={onDone} /> : <Shapes />}
        </SourceField>
      )}
    </div>
  );
}
