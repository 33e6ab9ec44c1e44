import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { ThemeToggle } from "./ThemeToggle";

afterEach(() => localStorage.clear());

test("the theme goes from the system's to light, to dark, and back", async () => {
  render(<ThemeToggle />);
  await userEvent.click(screen.getByRole("button", { name: "Theme: as the system" }));
  expect(document.documentElement.dataset.theme).toBe("light");
  await userEvent.click(screen.getByRole("button", { name: "Theme: light" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(localStorage.getItem("llmbench.theme")).toBe("dark");
  await userEvent.click(screen.getByRole("button", { name: "Theme: dark" }));
  expect(document.documentElement.dataset.theme).toBe("light");
  expect(localStorage.getItem("llmbench.theme")).toBeNull();
});

test("a choice made before is kept", () => {
  localStorage.setItem("llmbench.theme", "dark");
  render(<ThemeToggle />);
  expect(document.documentElement.dataset.theme).toBe("dark");
});
