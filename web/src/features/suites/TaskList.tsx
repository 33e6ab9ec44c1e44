import type { ReactNode } from "react";
import type { Aggregation } from "@/api/generated/config-api";
import { formatDuration } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { casesText, evaluatorTexts, gateText, paramsText, sampleText, sourceText, taskAnchor, type SuiteTask } from "./suite-words";

/** List the tasks with all that defines them. */
export function TaskList({ tasks, aggregation }: { tasks: readonly SuiteTask[]; aggregation: Aggregation }) {
  return (
    <ul aria-label="Definitions of the tasks" className="grid gap-px overflow-hidden rounded-b-lg bg-line lg:grid-cols-2">
      {tasks.map((task) => {
        const { defined, facts, index } = task;
        const params = paramsText(defined);
        return (
          <li key={index} id={taskAnchor(index)} tabIndex={-1} className="scroll-mt-16 bg-surface px-4 py-3 outline-offset-[-2px] lg:last:odd:col-span-2">
            <h3 className="font-medium wrap-anywhere">{harmless(defined.name)}</h3>
            <p className="text-xs text-ink-2">
              {harmless(defined.category ?? facts?.category ?? "")}
              {facts?.needs_judge && " · scored by a judge"}
            </p>
            <dl className="mt-2 grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1">
              <Fact name="Source">{harmless(sourceText(task))}</Fact>
              <Fact name="Cases">{casesText(task)}{(defined.epochs ?? 1) > 1 && `, each asked ${defined.epochs} times`}</Fact>
              <Fact name="Sample">{sampleText(defined)}</Fact>
              <Fact name="Evaluators">{evaluatorTexts(defined).map((text, place) => <div key={place}>{harmless(text)}</div>)}</Fact>
              {(aggregation === "weighted" || (defined.weight ?? 1) !== 1) && (
                <Fact name="Weight">{defined.weight ?? 1}{aggregation !== "weighted" && ", which this mean does not use"}</Fact>
              )}
              {params && <Fact name="Parameters"><span className="line-clamp-4">{harmless(params)}</span></Fact>}
              {defined.after && defined.after.length > 0 && <Fact name="After">{defined.after.map(harmless).join(", ")}</Fact>}
              {facts?.gate && facts.gate.length > 0 && <Fact name="Gate">{facts.gate.map((gate) => <div key={gate.task}>{harmless(gateText(gate))}</div>)}</Fact>}
              {defined.estimated_seconds != null && <Fact name="Expected time">{formatDuration(defined.estimated_seconds)}</Fact>}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}
