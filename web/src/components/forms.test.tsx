import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { Combobox, MultiSelect } from "./Combobox";
import { ConfirmDialog } from "./ConfirmDialog";
import { NumberField, TextField } from "./Field";
import { KeyValueEditor, type Pair } from "./KeyValueEditor";
import { SearchField } from "./SearchField";
import { toast } from "./Toast";
import { Toasts } from "./Toasts";

/** Keeps the value of a field, as a form does. */
function Kept<T>({ start, children }: { start: T; children: (value: T, set: (value: T) => void) => React.ReactNode }) {
  const [value, set] = useState(start);
  return (
    <>
      {children(value, set)}
      <output>{JSON.stringify(value)}</output>
    </>
  );
}
const kept = () => JSON.parse(screen.getByRole("status", { hidden: true }).textContent) as unknown;
const CHOICES = [{ value: "a", label: "Alpha" }, { value: "b", label: "Beta", detail: "7B" }];

test("a field's error is tied to its input", () => {
  render(<TextField label="Name" error="The name is taken." value="x" onChange={() => undefined} />);
  expect(screen.getByRole("textbox", { name: "Name" })).toBeInvalid();
  expect(screen.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription("The name is taken.");
});

test("an empty number is nothing, not zero", async () => {
  render(<Kept<number | null> start={7}>{(value, set) => <NumberField label="Seed" value={value} onChange={set} />}</Kept>);
  await userEvent.clear(screen.getByRole("spinbutton"));
  expect(kept()).toBeNull();
  await userEvent.type(screen.getByRole("spinbutton"), "0.5");
  expect(kept()).toBe(0.5);
});

test("a free combobox takes a choice or what is typed", async () => {
  render(<Kept start="">{(value, set) => <Combobox label="Model" free choices={CHOICES} value={value} onChange={set} />}</Kept>);
  await userEvent.type(screen.getByRole("combobox"), "be");
  await userEvent.click(await screen.findByRole("option", { name: /Beta/ }));
  expect(kept()).toBe("b");
  await userEvent.clear(screen.getByRole("combobox"));
  await userEvent.type(screen.getByRole("combobox"), "my-own");
  await userEvent.tab();
  expect(kept()).toBe("my-own");
});

test("Enter takes a match before the typed text where matches come first", async () => {
  const models = ["atlas-70b-long", "atlas-70b"].map((value) => ({ value, label: value }));
  render(<Kept start="">{(value, set) => <Combobox label="Model" free="last" choices={models} value={value} onChange={set} />}</Kept>);
  await userEvent.type(screen.getByRole("combobox"), "atlas");
  expect((await screen.findAllByRole("option")).map((one) => one.textContent)).toEqual(["atlas-70b-long", "atlas-70b", "Use “atlas”"]);
  await userEvent.keyboard("{Enter}");
  expect(kept()).toBe("atlas-70b-long");
  await userEvent.clear(screen.getByRole("combobox"));
  await userEvent.type(screen.getByRole("combobox"), "atlas-70b{Enter}");
  expect(kept()).toBe("atlas-70b");
});

test("Enter takes the first match for pasted text too", async () => {
  const models = ["atlas-70b-long", "atlas-70b"].map((value) => ({ value, label: value }));
  render(<Kept start="">{(value, set) => <Combobox label="Model" free="last" choices={models} value={value} onChange={set} />}</Kept>);
  await userEvent.click(screen.getByRole("combobox"));
  await userEvent.paste("atlas");
  expect(await screen.findByRole("option", { name: "Use “atlas”" })).toBeVisible();
  await userEvent.keyboard("{Enter}");
  expect(kept()).toBe("atlas-70b-long");
});

test("Tab keeps the typed text, and a choice can be clicked afterwards", async () => {
  const models = ["gpt-4o", "gpt-4o-mini"].map((value) => ({ value, label: value }));
  render(<Kept start="">{(value, set) => <Combobox label="Model" free="last" choices={models} value={value} onChange={set} />}</Kept>);
  await userEvent.type(screen.getByRole("combobox"), "gpt-4");
  expect(await screen.findByRole("option", { name: "Use “gpt-4”" })).toBeVisible();
  await userEvent.tab();
  expect(kept()).toBe("gpt-4");
  await userEvent.click(screen.getByRole("combobox"));
  await userEvent.click(await screen.findByRole("option", { name: "gpt-4o-mini" }));
  expect(kept()).toBe("gpt-4o-mini");
  await userEvent.clear(screen.getByRole("combobox"));
  await userEvent.type(screen.getByRole("combobox"), "gpt");
  await userEvent.click(await screen.findByRole("option", { name: "Use “gpt”" }));
  expect(kept()).toBe("gpt");
});

test("the list of a combobox opens at focus, but stays closed where the value was refused", async () => {
  const { rerender } = render(<Combobox label="Model" free choices={CHOICES} value="a" onChange={() => undefined} />);
  screen.getByRole("combobox").focus();
  expect(await screen.findByRole("listbox")).toBeVisible();
  await userEvent.tab();
  await waitFor(() => expect(screen.queryByRole("listbox")).toBeNull());
  rerender(<Combobox label="Model" free choices={CHOICES} value="a" error="The provider has no such model." onChange={() => undefined} />);
  screen.getByRole("combobox").focus();
  expect(screen.queryByRole("listbox")).toBeNull();
  await userEvent.type(screen.getByRole("combobox"), "b");
  expect(await screen.findByRole("listbox")).toBeVisible();
});

test("several are chosen, added and removed", async () => {
  render(<Kept<string[]> start={[]}>{(value, set) => <MultiSelect label="Tags" free choices={CHOICES} selected={value} onChange={set} />}</Kept>);
  await userEvent.type(screen.getByRole("combobox"), "alp");
  await userEvent.click(await screen.findByRole("option", { name: "Alpha" }));
  await userEvent.type(screen.getByRole("combobox"), "new");
  await userEvent.click(await screen.findByRole("option", { name: "Add “new”" }));
  expect(kept()).toEqual(["a", "new"]);
  await userEvent.click(screen.getByRole("button", { name: "Remove Alpha" }));
  expect(kept()).toEqual(["new"]);
});

test("pairs are added, written and removed", async () => {
  render(<Kept<Pair[]> start={[]}>{(value, set) => <KeyValueEditor legend="Options" pairs={value} onChange={set} />}</Kept>);
  await userEvent.click(screen.getByRole("button", { name: "Add" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Name 1" }), "top_k");
  await userEvent.type(screen.getByRole("textbox", { name: "Value 1" }), "40");
  expect(kept()).toEqual([{ key: "top_k", value: "40" }]);
  await userEvent.click(screen.getByRole("button", { name: "Remove top_k" }));
  expect(kept()).toEqual([]);
});

test("what cannot be undone needs a short word", async () => {
  const confirm = vi.fn<() => void>();
  render(
    <ConfirmDialog open title="Delete?" name="My  run" action="Delete it" onClose={() => undefined} onConfirm={confirm}>
      Gone for good.
    </ConfirmDialog>,
  );
  const button = await screen.findByRole("button", { name: "Delete it" });
  expect(button).toBeDisabled();
  expect(screen.getByText("My run")).toBeVisible();
  await userEvent.type(screen.getByRole("textbox", { name: "Type delete to confirm" }), "delet{Enter}");
  expect(confirm).not.toHaveBeenCalled();
  await userEvent.type(screen.getByRole("textbox"), "e {Enter}");
  expect(confirm).toHaveBeenCalledOnce();
});

test("a search asks once the typing stops", async () => {
  const search = vi.fn<(text: string) => void>();
  render(<SearchField label="Search" value="" onSearch={search} />);
  await userEvent.type(screen.getByRole("searchbox"), "sum");
  await waitFor(() => expect(search).toHaveBeenCalledWith("sum"));
  expect(search).toHaveBeenCalledOnce();
});

test("a toast is told and can be dismissed", async () => {
  render(<Toasts />);
  toast("Run deleted.");
  expect(await screen.findByText("Run deleted.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText("Run deleted.")).toBeNull();
});
