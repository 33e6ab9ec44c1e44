import { HEAT_STEPS } from "./heat";

/** The ramp with its steps. */
export function HeatLegend() {
  return (
    <div role="img" aria-label="Legend: ten colours, each for a tenth of the scale, from 0 to 100%" className="flex max-w-md text-2xs">
      {HEAT_STEPS.map((step, index) => <span key={step} className={`flex-1 px-1 py-0.5 text-center whitespace-nowrap ${step}`}>{index === 9 ? "90–100%" : index * 10}</span>)}
    </div>
  );
}
