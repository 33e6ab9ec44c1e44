import { skipToken } from "@reduxjs/toolkit/query/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RunDetail } from "@/api/generated/orchestrator";
import { useGetItemQuery } from "@/api/results";
import { useGetTaskQuery } from "@/api/tasks";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import type { RunForm } from "../new/run-form";
import { changesOf } from "./changes";
import { anewOf, judgedAgain } from "./judged-again";

interface Props {
  run: RunDetail;
  /** The item whose task was changed. */
  itemId: string;
  /** The form of a copy of the run. */
  form: RunForm;
  children: (form: RunForm) => ReactNode;
}

/** Give the form of a run that judges the answers of an earlier one again, below what it takes and what it asks. */
export function OnMended({ run, itemId, form, children }: Props) {
  const { currentData: item } = useGetItemQuery({ runId: run.id, itemId });
  const { currentData: task } = useGetTaskQuery(item ? { id: item.case.id } : skipToken);
  const isAsked = item !== undefined && task !== undefined && changesOf(item.case, task).asked.length > 0;
  const anew = anewOf(run, isAsked);
  return (
    <>
      <div role="note" className="flex flex-col gap-1 rounded-md bg-info-soft px-4 py-2 text-ink-2">
        <p>
          This judges the answers of <Link to={`/runs/${run.id}`} className="font-medium wrap-anywhere text-accent hover:underline">{harmless(run.name)}</Link> again, by the tasks as they are now.
          The stored answers are used and cost nothing; only the judge is asked. Each model gets one short call to warm it up, as in every run.
        </p>
        <p>
          {anew === 0 ? "An answer is asked again only if it cannot be reused: " : `${plural(anew, "answer has", "answers have")} to be asked again because ${anew === 1 ? "it" : "they"} cannot be reused${isAsked ? " (the question was changed)" : " (the run has none)"}. So is every other one that cannot be reused: `}
          its question, model, parameters or the provider’s key were changed, or its run was removed.
          The estimate on this page counts every answer as if it were asked.
        </p>
      </div>
      {children(judgedAgain(form, run))}
    </>
  );
}
