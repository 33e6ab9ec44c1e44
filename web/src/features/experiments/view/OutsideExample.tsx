import type { ExperimentOut } from "@/api/generated/orchestrator";
import { CopyButton } from "@/components/CopyButton";
import { Section } from "@/components/Section";
import { harmless } from "@/lib/plain-text";
import { metricName } from "../experiment-words";
import { commandsOf, unitOf } from "./outside-commands";

/** The two requests by which another system takes part in the experiment, to copy. */
export function OutsideExample({ experiment }: { experiment: ExperimentOut }) {
  const { assign, observe } = commandsOf(experiment, location.origin);
  return (
    <Section title="Send observations">
      <div className="flex flex-col gap-4 px-4 py-3">
        <p className="max-w-3xl text-ink-2">Your system does the work. It asks which variant a unit gets, and sends the outcome. A unit always gets the same variant, and an observation that is sent twice counts once. An API key with the right experiments:update is enough. Values of {harmless(metricName(experiment.primary_metric))} are {unitOf(experiment.primary_metric)}; send null for a missing one.</p>
        <Command title="1. Assign units to variants" text={assign} />
        <Command title="2. Send their outcomes" text={observe} />
      </div>
    </Section>
  );
}

function Command({ title, text }: { title: string; text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{title}</h3>
        <CopyButton label="Copy" text={() => text} />
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area has to be reachable by the keyboard */}
      <pre tabIndex={0} aria-label={title} className="overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5">{text}</pre>
    </div>
  );
}
