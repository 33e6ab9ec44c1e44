import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { useListDatasetsQuery } from "@/api/datasets";
import { useListRunsQuery } from "@/api/runs";
import { useListSuitesQuery } from "@/api/suites";
import { useListTasksQuery } from "@/api/tasks";
import { FormDialog } from "@/components/Dialog";
import { INPUT } from "@/components/Field";
import { Icon } from "@/components/Icon";
import { commands } from "@/lib/commands";
import { harmless } from "@/lib/plain-text";
import { useMay } from "@/lib/rights";
import { useShortcutGroups } from "@/lib/shortcuts";
import { chooseTheme } from "@/lib/theme";
import { useSettled } from "@/lib/use-settled";
import { useValue } from "@/live/hooks";
import { filtered, matches, runActions, viewEntries, type Entry, type Group } from "./entries";
import { readRecent, remember } from "./recent";
import { useModels } from "./use-models";

const FOUND = 6;
const SETTLE_MS = 200;

interface Props {
  places: readonly { to: string; label: string; area?: string }[];
  onClose: () => void;
}

/** Find a page, a run, a dataset, a task, a suite, a model or an action by typing, and go there. */
export default function Palette({ places, onClose }: Props) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const box = useRef<HTMLDivElement>(null);
  const { pathname, search } = useLocation();
  const [recent] = useState(() => {
    const before = readRecent().filter(({ to }) => to !== pathname + search);
    // The title of a page that still loads is that of the page before.
    const place = places.find(({ to }) => to === pathname)?.label;
    remember({ to: pathname + search, label: place ?? document.title.replace(/ · llmbench$/, "") });
    return before;
  });
  const own = useOwn(places, pathname);
  const found = useFound(text.trim());
  const isTyped = text.trim().length >= 2;
  const models = useModels(isTyped);
  const groups = useMemo(() => {
    const opened = { title: "Recently used", entries: recent.map(({ to, label }): Entry => ({ id: to, label, icon: "clock", to })) };
    const named = isTyped ? models.filter((one) => matches(one, text)).slice(0, FOUND) : [];
    return filtered([opened, ...own, ...found, { title: "Models", entries: named }], text);
  }, [recent, own, found, models, isTyped, text]);
  const entries = groups.flatMap((one) => one.entries);
  const at = Math.min(chosen, entries.length - 1);
  useEffect(() => {
    box.current?.querySelector(`[id="${list}-${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at, list]);

  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    if (entry.to !== undefined) {
      remember({ to: entry.to, label: entry.label });
      void navigate(entry.to);
    } else entry.run?.();
  };
  const key = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0 && entries.length > 0) setChosen((at + by + entries.length) % entries.length);
    else if (event.key === "Enter") open(entries[at]);
    else return;
    event.preventDefault();
  };
  // The number of the first entry of each group.
  const starts = groups.map((_, number) => groups.slice(0, number).reduce((sum, one) => sum + one.entries.length, 0));
  return (
    <FormDialog open onClose={onClose} title="Search and go to">
      <input
        type="text"
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={entries.length > 0 ? `${list}-${at}` : undefined}
        aria-label="Page, run, dataset, task or action"
        placeholder="Page, run, dataset, task or action"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={key}
        className={`${INPUT} mt-3 h-9 w-full`}
      />
      <div ref={box} id={list} role="listbox" tabIndex={-1} aria-label="Found" className="mt-3 max-h-[min(26rem,60vh)] overflow-y-auto">
        {groups.map((group, number) => (
          <div key={group.title} role="group" aria-label={group.title} className="mb-2">
            <p aria-hidden="true" className="px-2 py-1 text-xs text-ink-3">{group.title}</p>
            {group.entries.map((entry, place) => {
              const here = (starts[number] ?? 0) + place;
              return (
                // The keys are handled by the field, which keeps the focus.
                // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                <div key={entry.id} id={`${list}-${here}`} role="option" aria-selected={here === at} onClick={() => open(entry)} onPointerMove={() => here !== at && setChosen(here)}
                  className={`flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 ${here === at ? "bg-selected" : ""}`}>
                  <Icon name={entry.icon} className="text-ink-3" />
                  <span className="min-w-0 truncate">{harmless(entry.label)}</span>
                  {entry.detail && <span className="ml-auto shrink-0 pl-3 text-xs text-ink-2">{harmless(entry.detail)}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className="px-2 text-xs text-ink-2">{entries.length === 0 ? "Nothing has such a name." : ""}</p>
    </FormDialog>
  );
}

/** The entries that need no server: actions, those of the current screen among them, and pages. */
function useOwn(places: Props["places"], pathname: string): Group[] {
  const groups = useShortcutGroups();
  const offered = useValue(commands);
  const may = { run: useMay("runs:create"), task: useMay("tasks:create"), provider: useMay("providers:create") };
  const { run, task, provider } = may;
  return useMemo(() => {
    const made: Entry[] = [
      ...(run ? [{ id: "/runs/new", label: "New run", icon: "plus" as const, to: "/runs/new" }] : []),
      ...(task ? [{ id: "/tasks/new", label: "New task", icon: "plus" as const, to: "/tasks/new" }, { id: "/import", label: "Import a file", icon: "plus" as const, to: "/import" }] : []),
      ...(provider ? [{ id: "/providers/new", label: "New provider", icon: "plus" as const, to: "/providers/new" }] : []),
      ...runActions(pathname, run),
      { id: "theme light", label: "Theme: light", icon: "sun", run: () => chooseTheme("light") },
      { id: "theme dark", label: "Theme: dark", icon: "moon", run: () => chooseTheme("dark") },
      { id: "theme system", label: "Theme: as the system", icon: "system", run: () => chooseTheme("system") },
      { id: "/compare", label: "Compare", icon: "scale" as const, to: "/compare" },
    ];
    const here = groups
      .filter((one) => !one.modal && one.title !== "Go to")
      .flatMap((group) => group.shortcuts.map(({ keys, label }): Entry => ({ id: `key ${label}`, label, detail: keys[0] ?? "", icon: "keyboard", run: () => void group.press(keys[0] ?? "") })));
    return [
      { title: "On this screen", entries: [...offered.map((one): Entry => ({ id: `command ${one.label}`, ...one })), ...here.filter(({ label }) => label !== "New run")] },
      { title: "Actions", entries: made },
      { title: "Saved views", entries: viewEntries(pathname) },
      { title: "Pages", entries: places.map(({ to, label }): Entry => ({ id: to, label, icon: "next", to })) },
    ];
  }, [groups, offered, places, pathname, run, task, provider]);
}

/** The entries that the server finds once typing pauses. */
function useFound(text: string): (Group & { found: true })[] {
  const settled = useSettled(text, SETTLE_MS);
  const idle = settled.length < 2;
  const runs = useListRunsQuery({ q: settled, limit: FOUND }, { skip: !useMay("runs:read") || idle }).data;
  const datasets = useListDatasetsQuery({ q: settled, limit: FOUND }, { skip: !useMay("datasets:read") || idle }).data;
  const tasks = useListTasksQuery({ q: settled, limit: FOUND }, { skip: !useMay("tasks:read") || idle }).data;
  const suites = useListSuitesQuery({ q: settled, limit: FOUND }, { skip: !useMay("suites:read") || idle }).data;
  return useMemo(() => {
    if (idle) return [];
    return [
      { title: "Runs", found: true, entries: (runs?.items ?? []).map((one): Entry => ({ id: `/runs/${one.id}`, label: one.name, detail: one.status.toLowerCase(), icon: "play", to: `/runs/${one.id}` })) },
      { title: "Datasets", found: true, entries: (datasets?.datasets ?? []).map((one): Entry => ({ id: `/datasets/${one.dataset_id}`, label: one.name, icon: "copy", to: `/datasets/${one.dataset_id}` })) },
      { title: "Tasks", found: true, entries: (tasks?.items ?? []).map((one): Entry => ({ id: `/tasks/${one.id}`, label: one.task_id, detail: one.category, icon: "pencil", to: `/tasks/${one.id}` })) },
      { title: "Suites", found: true, entries: (suites?.items ?? []).map((one): Entry => ({ id: `/suites/${one.id}`, label: one.name, icon: "scale", to: `/suites/${one.id}` })) },
    ];
  }, [idle, runs, datasets, tasks, suites]);
}
