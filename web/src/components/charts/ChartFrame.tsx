import { useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../Icon";
import { toast } from "../Toast";
import type { CsvValue } from "./csv";

interface Props {
  /** The name of its files, without an ending. */
  name: string;
  /** A line that says what is drawn. */
  caption: ReactNode;
  /** The figures as rows, the first with their names. */
  rows: () => readonly (readonly CsvValue[])[];
  className?: string;
  /** The picture of the file. By default it is the chart's first SVG. */
  picture?: ReactNode;
  children: ReactNode;
}

const failed = (error: unknown) => toast(`The chart was not saved: ${String(error)}`, "bad");

/** A chart with its caption, and its download as PNG, SVG or CSV. */
export function ChartFrame({ name, caption, rows, className = "", picture, children }: Props) {
  const box = useRef<HTMLElement>(null);
  const [isDrawing, setDrawing] = useState(false);
  const savePicture = async (kind: "png" | "svg") => {
    const { save, standalone, toPng } = await import("./picture-file");
    // The file's own picture is in the document only while its colours are read.
    if (picture) flushSync(() => setDrawing(true));
    const svg = box.current?.querySelector<SVGSVGElement>(picture ? "[data-file] svg" : "[data-picture] svg");
    if (!svg) return;
    const source = standalone(svg);
    const { width, height } = svg.getBoundingClientRect();
    if (picture) setDrawing(false);
    save(`${name}.${kind}`, kind === "png" ? await toPng(source, width, height) : new Blob([source], { type: "image/svg+xml" }));
  };
  const table = async () => {
    const [{ save }, { toCsv }] = await Promise.all([import("./picture-file"), import("./csv")]);
    save(`${name}.csv`, new Blob([toCsv(rows())], { type: "text/csv;charset=utf-8" }));
  };
  return (
    <figure ref={box} className={`min-w-0 ${className}`}>
      <div className="mb-2 flex flex-col gap-2 sm:flex-row sm:items-start sm:justify-between sm:gap-3">
        <figcaption className="min-w-0 text-xs text-ink-2">{caption}</figcaption>
        <div role="group" aria-label="Download" className="flex shrink-0 gap-1 print:hidden">
          <Save label="PNG" onSave={() => savePicture("png")} />
          <Save label="SVG" onSave={() => savePicture("svg")} />
          <Save label="CSV" onSave={table} />
        </div>
      </div>
      <div data-picture>{children}</div>
      {isDrawing && <div data-file aria-hidden="true" className="pointer-events-none fixed top-0 -left-[9999px]">{picture}</div>}
    </figure>
  );
}

function Save({ label, onSave }: { label: string; onSave: () => Promise<void> }) {
  return (
    <button type="button" title={`Download as ${label}`} onClick={() => void onSave().catch(failed)} className="inline-flex h-6.5 items-center gap-1 rounded-md border border-line px-1.5 text-2xs font-medium text-ink-2 hover:bg-hover hover:text-ink">
      <Icon name="download" className="size-3" />
      {label}
    </button>
  );
}
