import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("index.css", import.meta.url), "utf8");

/** The tokens of a theme: the dark one changes some of the light. */
function tokens(selector: string): Map<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}", 1)[0] ?? "";
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]));
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

test.each([":root", '[data-theme="dark"]'])("the border of a field stands out by three to one in %s", (theme) => {
  const of = tokens(theme);
  for (const around of ["page", "surface", "sunken", "selected", "hover"]) {
    expect(contrast(of.get("field") ?? "", of.get(around) ?? "")).toBeGreaterThanOrEqual(3);
  }
});

test("fields have that border", () => {
  for (const file of ["Field.tsx", "Combobox.tsx", "FileDrop.tsx"]) {
    expect(readFileSync(new URL(`components/${file}`, import.meta.url), "utf8")).toContain("border-field");
  }
});

test.each([":root", '[data-theme="dark"]'])("text on each step of a heat map is legible, and steps differ, in %s", (theme) => {
  const of = tokens(theme);
  const steps = Array.from({ length: 10 }, (_, step) => of.get(`heat-${step}`) ?? "");
  for (const [step, colour] of steps.entries()) expect(contrast(colour, of.get(`on-heat-${step}`) ?? "")).toBeGreaterThanOrEqual(4.5);
  const light = steps.map(luminance);
  for (let step = 1; step < light.length; step++) expect(Math.sign(light[step]! - light[step - 1]!), `step ${step}`).toBe(theme === ":root" ? -1 : 1);
});
