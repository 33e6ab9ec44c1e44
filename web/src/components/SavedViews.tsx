import { lazy, Suspense, useState } from "react";
import { useLocation } from "react-router";
import { savedViews } from "@/lib/saved-views";
import { loadCode } from "@/live/reach";
import { Menu } from "./Menu";

const SavedViewsDialog = lazy(() => loadCode(() => import("./SavedViewsDialog")));

interface Props {
  /** The table whose views these are. */
  table: string;
  /** The URL parameters that are no part of a view, such as the open item. */
  without?: readonly string[];
}

const NONE: readonly string[] = [];

/** The saved views of a table: filters, sorting and columns, by name. */
export function SavedViews({ table, without = NONE }: Props) {
  const { pathname, search } = useLocation();
  const [views, setViews] = useState(() => savedViews(table));
  const [open, setOpen] = useState(false);
  const current = new URLSearchParams(search);
  for (const name of without) current.delete(name);
  const here = current.toString();
  return (
    <>
      <Menu
        label="Views"
        icon="half"
        entries={[
          ...views.map((one) => ({ label: one.name, icon: one.search === here ? ("check" as const) : ("next" as const), to: `${pathname}?${one.search}` })),
          { label: "Save or delete views", icon: "pencil" as const, onSelect: () => setOpen(true) },
        ]}
      />
      <Suspense>{open && <SavedViewsDialog table={table} search={here} views={views} onChange={setViews} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
