/** Empty, failed and loading: each says what is so and what to do next. */

import type { ReactNode } from "react";
import { toProblem } from "@/lib/problem";
import { Button } from "./Button";
import { Icon, type IconName } from "./Icon";

export function Message({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-3 grid size-10 place-items-center rounded-full bg-mute-soft text-ink-2">
        <Icon name={icon} className="size-5" />
      </span>
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="mt-1 max-w-lg text-ink-2">{children}</div>
    </div>
  );
}

export function ErrorMessage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const problem = toProblem(error);
  return (
    <div role="alert">
      <Message icon="alert" title={problem.title}>
        <p>{problem.detail}</p>
        <Button icon="retry" className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      </Message>
    </div>
  );
}

/** A problem in passing, beside what caused it. */
export function ProblemNote({ error }: { error: unknown }) {
  const problem = toProblem(error);
  return (
    <p role="alert" className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad">
      <Icon name="alert" className="mt-0.5" />
      <span>
        <strong className="font-semibold">{problem.title}.</strong> {problem.detail}
      </span>
    </p>
  );
}

export function Skeleton({ className = "" }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded bg-mute-soft ${className}`} />;
}
