import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
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

test("a plain click on a row’s link is followed here, one with a modifier is the browser’s", () => {
  const rows = new KeyedStore<string>();
  rows.set("a", "first");
  const follow = vi.fn<(href: string) => void>();
  const columns: readonly GridColumn<string>[] = [{ id: "name", header: "Name", width: 100, render: (row) => <a href={`#${row}`}>{row}</a> }];
  render(<DataGrid label="Rows" columns={columns} ids={["a"]} rows={rows} selected={null} onFollow={follow} />);
  const link = screen.getByRole("link", { name: "first" });
  expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
  expect(follow).not.toHaveBeenCalled();
  expect(fireEvent.click(link)).toBe(false);
  expect(follow).toHaveBeenCalledExactlyOnceWith("#first");
});
