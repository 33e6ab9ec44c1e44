import { useState } from "react";
import { useSearchParams } from "react-router";
import { useListProvidersQuery } from "@/api/providers";
import { useListSuitesQuery } from "@/api/suites";
import { Button } from "@/components/Button";
import { MultiSelect } from "@/components/Combobox";
import { SelectField, TextField } from "@/components/Field";
import { FilterChips } from "@/components/FilterChips";
import { SearchField } from "@/components/SearchField";
import { useUrlSet, useUrlText, writeSet } from "@/lib/url-state";
import { harmless } from "@/lib/plain-text";
import { RUN_STATUSES, runStatusLabel } from "../run-words";
import { RunOrderBar } from "./RunOrderBar";

const OPTIONS = RUN_STATUSES.map((value) => ({ value, label: runStatusLabel(value) }));

/** `tags` are those of the shown runs; others can be typed. */
export function RunFilters({ tags }: { tags: readonly string[] }) {
  const [search, setSearch] = useSearchParams();
  const [status, setStatus] = useUrlSet("status", RUN_STATUSES);
  const [text, setText] = useUrlText("q");
  const [from, setFrom] = useUrlText("from");
  const [to, setTo] = useUrlText("to");
  const chosen = search.getAll("tag");
  const setTags = (next: string[]) => setSearch((now) => writeSet(now, "tag", next), { replace: true, preventScrollReset: true });
  const setProviders = (next: string[]) => setSearch((now) => writeSet(now, "provider", next), { replace: true, preventScrollReset: true });
  const providers = (useListProvidersQuery({ limit: 500 }).data?.items ?? []).map((one) => ({ value: one.id, label: harmless(one.name) }));
  const [suite, setSuite] = useUrlText("suite");
  const suites = (useListSuitesQuery({ limit: 500 }).data?.items ?? []).map((one) => one.name);
  const suiteOptions = [...new Set([...suites, suite])].filter(Boolean).map((one) => ({ value: one, label: harmless(one) }));
  const choices = [...new Set([...tags, ...chosen])].toSorted().map((one) => ({ value: one, label: harmless(one) }));
  const [open, setOpen] = useState(false);
  const count = status.length + chosen.length + search.getAll("provider").length + [from, to, suite].filter(Boolean).length;
  // On a phone the filters would fill the first screen.
  const folded = open ? "" : "max-sm:hidden";
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 items-end gap-3 md:grid-cols-4 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_9.5rem_9.5rem]">
        <div className="col-span-2 flex items-end gap-2 md:col-span-4 lg:col-span-1">
          <SearchField className="flex-1" label="Search name and description" value={text} onSearch={setText} />
          <Button className="sm:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>Filters{count > 0 && ` (${count})`}</Button>
        </div>
        <MultiSelect className={folded} label="Providers" placeholder="Any provider" choices={providers} selected={search.getAll("provider")} onChange={setProviders} />
        <MultiSelect className={folded} label="Tags" free placeholder="Any tag" choices={choices} selected={chosen} onChange={setTags} />
        <SelectField className={`col-span-2 md:col-span-1 ${folded}`} label="Suite" options={[{ value: "", label: "With or without" }, ...suiteOptions]} value={suite} onChange={setSuite} />
        <TextField className={folded} label="Created from" type="date" value={from} max={to || undefined} onChange={setFrom} />
        <TextField className={folded} label="Created until" type="date" value={to} min={from || undefined} onChange={setTo} />
      </div>
      <div className={`flex flex-wrap items-end justify-between gap-3 ${folded}`}>
        <FilterChips label="Filter by status" options={OPTIONS} selected={status} onChange={setStatus} />
        <RunOrderBar />
      </div>
    </div>
  );
}
