import { toProblem } from "@/lib/problem";
import { Button } from "./Button";
import { Icon } from "./Icon";
import { ProblemNote } from "./Problem";

interface Props {
  error: unknown;
  /** The name of the saved thing, such as `provider`. */
  what: string;
  /** Reads the stored version again; what was typed is lost. */
  onReload?: () => void;
}

/** Explain why saving was refused. On a conflict the user can load the stored version; nothing is overwritten. */
export function SaveProblem({ error, what, onReload }: Props) {
  if (error === undefined || error === null) return null;
  if (toProblem(error).status !== 412 || !onReload) return <ProblemNote error={error} />;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-warn-soft px-3 py-2 text-warn">
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2">
        <Icon name="alert" className="mt-0.5" />
        <span>
          <strong className="font-semibold">This {what} was changed elsewhere.</strong> Nothing was saved. Reload to see the other change; what you typed here is then gone.
        </span>
      </p>
      <Button icon="retry" onClick={onReload}>
        Reload
      </Button>
    </div>
  );
}
