import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import type { BadRowOut } from "@/api/generated/config-api";
import { CopyButton } from "@/components/CopyButton";
import { Section } from "@/components/Section";
import { forForm } from "@/lib/form-words";
import { formatCount, plural } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { lineOf } from "./import-plan";

interface Props {
  faults: readonly BadRowOut[];
  /** Bad rows in all, of how many. */
  bad: number;
  rows: number;
  /** The text of the file as far as it was read, to show the line of a fault. */
  text: string;
}

const ROW = "grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 px-4 sm:grid-cols-[4rem_13rem_minmax(0,1fr)]";

/** The errors of a file by row and column, so that they can be fixed in the source. */
export function FaultList({ faults, bad, rows, text }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ count: faults.length, getScrollElement: () => scroller.current, estimateSize: () => 37, overscan: 8 });
  const shownRows = new Set(faults.map((one) => one.line).filter((line) => line !== null)).size;
  const isHeaderBad = faults.some((one) => one.line === null);
  const badRows = `${formatCount(bad)} of ${plural(rows, "row is bad", "rows are bad")}`;
  const asTable = () => ["line\tcolumn\tfault", ...faults.map((one) => [one.line ?? "header", one.field ?? "", one.message].map((cell) => String(cell).replaceAll(/[\t\r\n]+/g, " ")).join("\t"))].join("\n");
  return (
    <Section
      title={isHeaderBad ? `The header is bad${bad > 0 ? `, and ${badRows}` : ""}` : badRows}
      aside={
        <div className="flex flex-wrap items-center gap-3">
          {shownRows < bad && <p className="text-xs text-ink-2">The first {plural(faults.length, "fault")}</p>}
          <CopyButton label="Copy the list" text={asTable} />
        </div>
      }
    >
      <div ref={scroller} tabIndex={0} role="table" aria-label="Bad rows" aria-rowcount={faults.length + 1} className="max-h-96 overflow-y-auto rounded-b-[0.625rem] outline-offset-[-2px]">
        <div role="rowgroup" className="sticky top-0 z-10">
          <div role="row" aria-rowindex={1} className={`${ROW} border-b border-line bg-sunken py-2 text-xs font-medium text-ink-2`}>
            <span role="columnheader">Line</span>
            <span role="columnheader" className="max-sm:sr-only">Column</span>
            <span role="columnheader">What is wrong</span>
          </div>
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const fault = faults[index];
            if (!fault) return null;
            const line = fault.line === null ? "" : lineOf(text, fault.line);
            return (
              <div key={index} ref={virtualizer.measureElement} data-index={index} role="row" aria-rowindex={index + 2}
                className={`${ROW} absolute inset-x-0 top-0 border-b border-line py-2`} style={{ transform: `translateY(${start}px)` }}>
                <span role="cell" className="font-mono text-xs leading-5">{fault.line ?? "header"}</span>
                <span role="cell" className="font-mono text-xs leading-5 wrap-anywhere max-sm:col-start-2">{fault.field === null ? "the row" : harmless(fault.field)}</span>
                <span role="cell" className="min-w-0 max-sm:col-start-2">
                  <span className="block wrap-anywhere text-bad">{harmless(forForm(fault.message))}</span>
                  {line !== "" && <span dir="auto" className="block truncate font-mono text-xs text-ink-3">{harmless(excerpt(line, 300, 1).text)}</span>}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </Section>
  );
}
