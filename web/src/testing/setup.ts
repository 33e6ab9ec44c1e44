import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { MENUS_ID } from "@/components/MenuPlace";
import { dismissAll } from "@/components/Toast";
import { session } from "@/lib/rights";
import { server } from "./server";

// jsdom draws nothing: a window of fixed size stands in, so that virtual lists have rows.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
for (const [name, pixels] of [["clientHeight", 400], ["clientWidth", 1200], ["offsetHeight", 40], ["offsetWidth", 1200]] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => pixels });
}
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;
Object.defineProperty(window, "matchMedia", {
  value: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
});

// Lazily loaded code can be slow on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

// The shell's place for menus. All files of tests share one document.
if (!document.getElementById(MENUS_ID)) {
  document.body.append(Object.assign(document.createElement("div"), { id: MENUS_ID, innerHTML: "<span hidden></span>" }));
}

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => {
  cleanup();
  dismissAll();
  session.set(null);
  localStorage.clear();
  server.resetHandlers();
});
afterAll(() => server.close());
