import type { ItemRow } from "@/api/generated/orchestrator";
import { Button, IconButton } from "@/components/Button";
import type { GridColumn } from "@/components/DataGrid";
import { CheckField } from "@/components/Field";
import { Segments } from "@/components/Segments";
import { DENSITIES, type useColumnChoice } from "./column-choice";

interface Props {
  all: readonly GridColumn<ItemRow>[];
  choice: ReturnType<typeof useColumnChoice>;
}

/** Choose the columns, their order and the height of the rows. */
export function ColumnChooser({ all, choice: { chosen, isDefault, density, choose, setDensity } }: Props) {
  const shown = chosen.filter(({ id }) => all.some((one) => one.id === id));
  const others = all.filter(({ id }) => !shown.some((one) => one.id === id));
  const move = (from: number, by: number) => {
    const next = [...shown];
    next.splice(from + by, 0, ...next.splice(from, 1));
    choose(next);
  };
  const labelOf = (id: string) => {
    const column = all.find((one) => one.id === id);
    return column?.title && column.title.length < 40 ? `${column.header} (${column.title.charAt(0).toLowerCase()}${column.title.slice(1)})` : (column?.header ?? id);
  };
  return (
    <div role="group" aria-label="Columns and rows" className="flex flex-col gap-3 rounded-md border border-line bg-sunken p-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segments label="Height of the rows" options={DENSITIES} value={density} onChange={setDensity} />
        <Button kind="ghost" disabled={isDefault} onClick={() => choose(null)}>Usual columns</Button>
      </div>
      <ol aria-label="Columns in their order" className="grid gap-x-6 gap-y-0.5 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
        {shown.map(({ id }, index) => (
          <li key={id} className="flex min-w-0 items-center gap-1">
            <CheckField label={labelOf(id)} checked disabled={id === "task"} onChange={() => choose(shown.filter((one) => one.id !== id))} />
            <span className="ml-auto flex shrink-0">
              <IconButton icon="up" label={`Move ${labelOf(id)} forward`} disabled={index === 0} onClick={() => move(index, -1)} />
              <IconButton icon="down" label={`Move ${labelOf(id)} backward`} disabled={index === shown.length - 1} onClick={() => move(index, 1)} />
            </span>
          </li>
        ))}
      </ol>
      {others.length > 0 && (
        <ul aria-label="Further columns" className="grid gap-x-6 gap-y-1 border-t border-line pt-2 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
          {others.map(({ id }) => (
            <li key={id} className="min-w-0">
              <CheckField label={labelOf(id)} checked={false} onChange={() => choose([...shown, { id }])} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
