/** A small set of line icons, drawn for 16 px. Decoration only: meaning is always in text too. */

const PATHS = {
  check: "M3.5 8.5l3 3 6-7",
  cross: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  play: "M5.5 3.8v8.4l6.5-4.2z",
  pause: "M5.8 4v8M10.2 4v8",
  stop: "M4.8 4.8h6.4v6.4H4.8z",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2.2 1.3",
  alert: "M8 2.8l5.7 10H2.3zM8 6.6v3M8 11.4v.01",
  ban: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM4.2 4.2l7.6 7.6",
  spark: "M8 2.5v3M8 10.5v3M2.5 8h3M10.5 8h3M4.2 4.2l2 2M9.8 9.8l2 2M11.8 4.2l-2 2M6.2 9.8l-2 2",
  scale: "M8 3v10M4.5 13h7M3 5.2l5-1.2 5 1.2M3 5.2L1.6 9a1.5 1.5 0 0 0 2.8 0zM13 5.2L11.6 9a1.5 1.5 0 0 0 2.8 0z",
  download: "M8 2.8v7M4.8 7L8 10.2 11.2 7M3 13.2h10",
  down: "M8 3v9.5M4 8.8l4 4 4-4",
  up: "M8 13V3.5M4 7.2l4-4 4 4",
  next: "M6 3.5L10.5 8 6 12.5",
  previous: "M10 3.5L5.5 8l4.5 4.5",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13 9.6A5.4 5.4 0 0 1 6.4 3a5.4 5.4 0 1 0 6.6 6.6z",
  system: "M2.5 3.5h11v7h-11zM6 13.2h4M8 10.5v2.7",
  keyboard: "M1.8 4.5h12.4v7H1.8zM4.5 6.8v.01M7 6.8v.01M9.5 6.8v.01M11.8 6.8v.01M5 9.3h6",
  dot: "M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  ring: "M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  half: "M8 3a5 5 0 1 0 0 10zM8 3a5 5 0 0 1 0 10",
  retry: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.8h-2.8",
  plus: "M8 3.5v9M3.5 8h9",
  copy: "M5.5 5.5h7v7h-7zM3.5 10.5v-7h7",
  trash: "M3 4.5h10M6.2 4.5V3h3.6v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.5M9.2 7v3.5",
  pencil: "M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.2 4.6l2.2 2.2",
  more: "M3.5 8v.01M8 8v.01M12.5 8v.01",
  search: "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3 3",
  link: "M6.8 9.2a2.4 2.4 0 0 0 3.4 0l2-2a2.4 2.4 0 0 0-3.4-3.4l-.8.8M9.2 6.8a2.4 2.4 0 0 0-3.4 0l-2 2a2.4 2.4 0 0 0 3.4 3.4l.8-.8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`size-4 shrink-0 ${className}`}
      fill={name === "dot" ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
