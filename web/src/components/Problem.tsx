/** Failed requests: the reason, and what to do next. */

import { toProblem } from "@/lib/problem";
import { Button } from "./Button";
import { Icon } from "./Icon";
import { Message } from "./Message";

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

/** A short error message, shown next to its cause. */
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
