import { useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { ask, useApiDispatch } from "@/api/dispatch";
import type { RunDetail } from "@/api/generated/orchestrator";
import { resultsApi } from "@/api/results";
import { Button, ButtonLink } from "@/components/Button";
import { DataGrid } from "@/components/DataGrid";
import { Message } from "@/components/Message";
import { ErrorMessage } from "@/components/Problem";
import { SavedViews } from "@/components/SavedViews";
import { Section } from "@/components/Section";
import { formatCount, plural } from "@/lib/format";
import { useShortcuts } from "@/lib/shortcuts";
import { useValue } from "@/live/hooks";
import type { RunStore } from "@/live/run-store";
import { ExportMenu } from "../ExportMenu";
import { OPENS_ITEM, useItemHref, useOpenItem } from "../item/item-url";
import { runHref } from "../run/run-views";
import { arrange, DENSITIES, useColumnChoice } from "./column-choice";
import { Excerpts, ExcerptsContext } from "./excerpts";
import { columnKey, useFilterSetters, type ItemView } from "./item-filter";
import { itemColumns } from "./item-columns";
import { ItemFilters } from "./ItemFilters";
import type { ShownItems } from "./useShownItems";

/** The open item belongs to no view of the table. */
const NO_VIEW = ["item", "against"] as const;

interface Props {
  run: RunDetail;
  store: RunStore;
  view: ItemView;
  shown: ShownItems;
}

export function ItemsTable({ run, store, view, shown }: Props) {
  const loading = useValue(store.loading);
  const [open, setOpen] = useOpenItem();
  const { set, clear, sortBy } = useFilterSetters();
  const { ids, total } = shown;
  const filtered = Object.keys(view.filter).length > 0;
  const itemHref = useItemHref();
  const { targets, evaluators } = run;
  const all = useMemo(() => itemColumns({ targets, evaluators }, itemHref), [targets, evaluators, itemHref]);
  const choice = useColumnChoice();
  const columns = useMemo(() => arrange(all, choice.chosen), [all, choice.chosen]);
  const { rowPx, lines } = DENSITIES.find(({ value }) => value === choice.density) ?? DENSITIES[1];
  const dispatch = useApiDispatch();
  const [excerpts] = useState(() => new Excerpts(async (wanted) => (await ask(dispatch(resultsApi.endpoints.listItemExcerpts.initiate({ runId: run.id, itemId: wanted }, { forceRefetch: true })))).items));
  const navigate = useNavigate();
  const allItems = run.counts.items;
  const first = ids[0];
  const { search } = useLocation();
  const readHref = runHref(run.id, "read", search);
  useShortcuts("On this screen", [
    { keys: ["r"], label: "Read the answers", run: () => void navigate(readHref) },
    { keys: ["j"], label: "Open the first item", run: () => first !== undefined && setOpen(first) },
    { keys: ["f"], label: "Only failed items", run: () => set("status", ["FAILED"]) },
    { keys: ["x"], label: "Clear the filters", run: clear },
  ]);
  return (
    <Section
      title="Items"
      aside={
        <div className="flex flex-wrap items-center gap-3">
          <p role="status" className="text-xs text-ink-2">
            {view.unfiltered && loading ? `Loading, ${plural(loading.loaded, "row")} so far…` : filtered ? `${total === undefined ? "…" : formatCount(total)} of ${plural(allItems, "item")}` : plural(allItems, "item")}
          </p>
          <SavedViews table="items" without={NO_VIEW} />
          {first !== undefined && <ButtonLink icon="search" to={readHref}>Read</ButtonLink>}
          <ExportMenu run={run} label={filtered ? "Export these" : "Export all"} filter={view.filter} />
        </div>
      }
    >
      <ItemFilters columns={all} choice={choice} run={run} store={store} view={view} />
      {ids.length > 0 ? (
        <ExcerptsContext value={excerpts}>
          <DataGrid
            key={choice.density}
            label="Items"
            rowPx={rowPx}
            lines={lines}
            onResize={choice.resize}
            columns={columns}
            ids={ids}
            rows={store.items.rows}
            selected={open}
            total={total}
            onEnd={shown.more}
            sorting={{ key: columnKey(view), order: view.order }}
            onSort={sortBy}
            onFollow={(href) => void navigate(href, { preventScrollReset: true, state: OPENS_ITEM })}
          />
        </ExcerptsContext>
      ) : shown.error ? (
        <ErrorMessage error={shown.error} onRetry={shown.retry} />
      ) : shown.loading ? (
        <p className="px-4 py-8 text-center text-ink-2">{view.unfiltered ? "Loading items…" : "Searching items…"}</p>
      ) : filtered ? (
        <Message icon="ring" title="No item matches these filters">
          <Button className="mt-3" onClick={clear}>
            Show all items
          </Button>
        </Message>
      ) : (
        <Message icon="ring" title="This run has no items">
          <p>Its collections held no tasks when it was created.</p>
        </Message>
      )}
    </Section>
  );
}
