import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useShortcutGroups, useShortcuts, useShortcutsOn, type Shortcut } from "./shortcuts";

afterEach(() => localStorage.clear());

function Screen({ title, shortcuts, modal = false }: { title: string; shortcuts: Shortcut[]; modal?: boolean }) {
  useShortcuts(title, shortcuts, { modal });
  return null;
}

function Known() {
  const [on, setOn] = useShortcutsOn();
  return (
    <>
      <p>{useShortcutGroups().flatMap((one) => one.shortcuts.map(({ label }) => `${one.title}: ${label}`)).join(", ")}</p>
      <button type="button" onClick={() => setOn(!on)}>{on ? "on" : "off"}</button>
      <input aria-label="Text" />
      <input type="checkbox" aria-label="Switch" />
    </>
  );
}

test("a key does what the screen says, alone or after another; typing does not", async () => {
  const [go, next] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { rerender } = render(<><Screen title="Place" shortcuts={[{ keys: ["g r"], label: "Runs", run: go }, { keys: ["j"], label: "Next", run: next }]} /><Known /></>);
  expect(screen.getByText("Place: Runs, Place: Next")).toBeVisible();
  await userEvent.keyboard("j");
  await userEvent.keyboard("gr");
  await userEvent.keyboard("xr{Control>}j{/Control}");
  await userEvent.type(screen.getByLabelText("Text"), "jgr");
  expect([next.mock.calls.length, go.mock.calls.length]).toEqual([1, 1]);
  // A checkbox keeps the focus when it is ticked, and takes no text.
  await userEvent.click(screen.getByLabelText("Switch"));
  await userEvent.keyboard("j");
  expect(next).toHaveBeenCalledTimes(2);
  rerender(<Known />);
  await userEvent.keyboard("j");
  expect(next).toHaveBeenCalledTimes(2);
});

test("a window over the page takes the keys of the page away", async () => {
  const [page, panel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(
    <>
      <Screen title="Page" shortcuts={[{ keys: ["j", "n"], label: "Page", run: page }]} />
      <Screen title="Panel" shortcuts={[{ keys: ["j"], label: "Panel", run: panel }]} modal />
      <div role="dialog" />
    </>,
  );
  await userEvent.keyboard("jn");
  expect([page.mock.calls.length, panel.mock.calls.length]).toEqual([0, 1]);
});

test("they can be switched off", async () => {
  const run = vi.fn<() => void>();
  render(<><Screen title="Page" shortcuts={[{ keys: ["n"], label: "New", run }]} /><Known /></>);
  await userEvent.click(screen.getByRole("button", { name: "on" }));
  await userEvent.keyboard("n");
  expect(run).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "off" }));
  await userEvent.keyboard("n");
  expect(run).toHaveBeenCalledTimes(1);
});
