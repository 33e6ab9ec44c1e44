import type { ReactNode } from "react";
import { Disclosure } from "@/components/Disclosure";
import { NumberField } from "@/components/Field";
import { SamplingFields } from "@/components/SamplingFields";
import { errorAt } from "@/lib/form-errors";
import { LimitsFields } from "./LimitsFields";
import type { Props } from "./TagsAndLimits";
import { USUAL_HISTORY } from "./usual-limits";

/** The settings of every target without its own, and the limits of the run. */
export function Limits({ form, sideBySide, errors, onChange: set, children }: Props & { children: ReactNode }) {
  return (
    <div className="divide-y divide-line [&>*]:py-2">
      <Disclosure title="Limits" summary="of every target without its own: epochs, concurrency, timeout, attempts, cache, cost, clusters">
        <div className="flex flex-col gap-3">
          <LimitsFields value={form.limits} onChange={(limits) => set({ limits })} errors={errors} prefix="" />
          <NumberField label="Cost limit in US dollars" hint="The run pauses when it is reached." className="sm:max-w-56" min={0} placeholder="None" value={form.maxCostUsd} error={errorAt(errors, "max_cost_usd")} onChange={(maxCostUsd) => set({ maxCostUsd })} />
          {(sideBySide > 1 || form.parallelGroups !== null) && (
            <NumberField label="Models side by side" hint="Models of different hosted providers are called at the same time: one of each provider, and at most one local model." className="sm:max-w-md" min={1} max={16} step={1} placeholder="1" value={form.parallelGroups} error={errorAt(errors, "parallel_groups")} onChange={(parallelGroups) => set({ parallelGroups })} />
          )}
          <NumberField label="Earlier turns" hint="How many turns of a conversation are sent with the next one." className="sm:max-w-56" min={1} max={50} step={1} placeholder={String(USUAL_HISTORY)} value={form.maxHistory} error={errorAt(errors, "max_conversation_history")} onChange={(maxHistory) => set({ maxHistory })} />
          {children}
        </div>
      </Disclosure>
      <Disclosure title="Parameters" summary="of every target without its own: temperature, tokens, system prompt, seed, stop, options">
        <SamplingFields value={form.sampling} onChange={(sampling) => set({ sampling })} errors={errors} path="params" />
      </Disclosure>
    </div>
  );
}
