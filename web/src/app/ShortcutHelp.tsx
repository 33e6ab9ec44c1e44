import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField } from "@/components/Field";
import { useShortcutGroups, useShortcutsOn, type ShortcutGroup } from "@/lib/shortcuts";
import { VERSION } from "@/lib/version";

const NAMES: Record<string, string> = { ArrowRight: "→", ArrowLeft: "←", Escape: "Esc" };

/** The shortcuts of the current screen. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const groups = merged(useShortcutGroups());
  const [on, setOn] = useShortcutsOn();
  return (
    <FormDialog open onClose={onClose} title="Keyboard shortcuts">
      <div className="mt-4 grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {groups.map((group) => (
          <section key={group.title}>
            <h3 className="mb-2 text-xs font-medium text-ink-2">{group.title}</h3>
            <dl className="flex flex-col gap-1.5">
              {group.shortcuts.map(({ keys, label }) => (
                <div key={label} className="flex items-baseline justify-between gap-4">
                  <dt>{label}</dt>
                  <dd className="flex shrink-0 gap-1.5">{keys.map((key) => <Keys key={key} keys={key} />)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <CheckField label="Use single keys as shortcuts" checked={on} onChange={setOn} />
        <Button onClick={onClose}>Close</Button>
      </div>
      <p className="mt-4 text-xs text-ink-2">llmbench {VERSION}</p>
    </FormDialog>
  );
}

/** Merge the groups by title. Two parts of a screen may have the same shortcut (two search fields): it is shown once. */
function merged(groups: readonly ShortcutGroup[]): { title: string; shortcuts: ShortcutGroup["shortcuts"] }[] {
  const groupsByTitle = new Map<string, Map<string, ShortcutGroup["shortcuts"][number]>>();
  for (const group of groups) {
    const known = groupsByTitle.get(group.title) ?? new Map<string, ShortcutGroup["shortcuts"][number]>();
    for (const one of group.shortcuts) if (!known.has(one.label)) known.set(one.label, one);
    groupsByTitle.set(group.title, known);
  }
  return [...groupsByTitle].map(([title, known]) => ({ title, shortcuts: [...known.values()] }));
}

function Keys({ keys }: { keys: string }) {
  return (
    <span className="flex items-center gap-1">
      {keys.split(" ").map((key, index) => (
        <kbd key={index} className="min-w-5.5 rounded border border-line-strong bg-sunken px-1.5 text-center font-mono text-xs leading-5">{NAMES[key] ?? key}</kbd>
      ))}
    </span>
  );
}
