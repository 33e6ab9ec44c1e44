import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { KeyedStore } from "@/live/observable";
import { DataGrid, type GridColumn } from "./DataGrid";

const COLUMNS: readonly GridColumn<string>[] = [{ id: "name", header: "Name", width: 100, render: (row) => row }];

test("of twenty thousand rows fewer than sixty are in the document", () => {
  const rows = new KeyedStore<string>();
  const ids = Array.from({ length: 20_000 }, (_, index) => `row-${index}`);
  for (const id of ids) rows.set(id, `Row ${id}`);
  render(<DataGrid label="Rows" columns={COLUMNS} ids={ids} rows={rows} selected={null} />);
  expect(screen.getByRole("table")).toHaveAttribute("aria-rowcount", "20001");
  expect(screen.getByText("Row row-0")).toBeVisible();
  expect(screen.getAllByRole("row").length).toBeLessThan(60);
});
