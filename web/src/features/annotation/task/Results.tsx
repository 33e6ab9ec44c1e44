import { ITEMS_PER_PAGE, useListAnnotationItemsQuery, type Method } from "@/api/annotation";
import type { AnnotationTaskOut, ItemOut } from "@/api/generated/config-api";
import { StateText } from "@/components/Chip";
import { Disclosure } from "@/components/Disclosure";
import { Message, Skeleton } from "@/components/Message";
import { Pager } from "@/components/Pager";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { Segments } from "@/components/Segments";
import { formatCount, formatPercent, plural } from "@/lib/format";
import { usePagedView } from "@/lib/paged-view";
import { harmless } from "@/lib/plain-text";
import { LabelTable } from "../LabelTable";
import { headOf, labelText, questionsOf } from "../words";
import { CaseView } from "../work/CaseView";

const VIEWS = [
  { value: "all", label: "All" },
  { value: "disagreement", label: "Disagreement" },
  { value: "flagged", label: "Flagged" },
  { value: "decided", label: "Decided" },
] as const;

interface Props {
  task: AnnotationTaskOut;
  method: Method;
  threshold: number;
}

/** The items with everybody's labels and what they come to. */
export function Results({ task, method, threshold }: Props) {
  const view = usePagedView();
  const only = VIEWS.find(({ value }) => value === view.text("only"))?.value ?? "all";
  const query = useListAnnotationItemsQuery(
    { taskId: task.task_id, only, method, consensusThreshold: threshold, limit: ITEMS_PER_PAGE, offset: (view.page - 1) * ITEMS_PER_PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const { data } = query;
  return (
    <Section title="Items" aside={<Segments label="Which items" options={VIEWS} value={only} onChange={(next) => view.filter("only", next === "all" ? "" : next)} />}>
      {data ? (
        data.items.length === 0 ? (
          <Message icon="search" title={only === "disagreement" ? "No disagreement" : "No such item"}><p>{only === "disagreement" ? "People agree on every item that is labelled and not decided." : "There are no such items."}</p></Message>
        ) : (
          <ul aria-label="Items" className={`divide-y divide-line ${query.isFetching ? "opacity-70" : ""}`}>
            {data.items.map((item) => <li key={item.item_id} className="px-4 py-2"><Line item={item} task={task} /></li>)}
          </ul>
        )
      ) : query.isError ? (
        <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className="p-4"><Skeleton className="h-4 w-1/3" /></div>
      )}
      {data && <Pager label="Pages of items" page={view.page} perPage={ITEMS_PER_PAGE} total={data.total} onPage={view.toPage} />}
    </Section>
  );
}

function Line({ item, task }: { item: ItemOut; task: AnnotationTaskOut }) {
  const fields = questionsOf(task.annotation_schema);
  const counted = item.labels.filter((one) => one.counts).length;
  const values = item.decision?.labels ?? Object.fromEntries(item.consensus.flatMap(({ field, value }) => (value == null ? [] : [[field, value]])));
  const said = fields.flatMap((field) => (values[field.name] === undefined ? [] : [`${fields.length > 1 ? `${headOf(field)} ` : ""}${labelText(field, values[field.name])}`]));
  return (
    <Disclosure
      title={
        <span className="flex flex-wrap items-center gap-x-3">
          <span>{harmless(item.name)}</span>
          {item.decision && <StateText label="Decided" tone="info" icon="scale" />}
          {item.gold && <StateText label="Gold" tone="warn" icon="spark" />}
          {item.is_audit && <StateText label="Audit slice" tone="neutral" icon="dot" />}
          {item.labels.some((one) => one.flagged) && <StateText label="Flagged" tone="warn" icon="alert" />}
        </span>
      }
      summary={`${said.join(", ") || "No consensus"} · ${plural(counted, "label")}${item.confidence === null ? "" : ` · ${formatPercent(item.confidence)}`} · item ${formatCount(item.position)}`}
    >
      <div className="grid gap-4 pb-2 lg:grid-cols-2">
        <CaseView shown={item.test_case} />
        <LabelTable item={item} fields={fields} />
      </div>
    </Disclosure>
  );
}
