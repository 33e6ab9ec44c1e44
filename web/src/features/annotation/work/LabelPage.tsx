import { useState } from "react";
import { useParams } from "react-router";
import { useLabelClient, useListWorkQuery } from "@/api/annotation";
import { Button, ButtonLink } from "@/components/Button";
import { PageHead } from "@/components/PageHead";
import { harmless } from "@/lib/plain-text";
import { session } from "@/lib/rights";
import { useTitle } from "@/lib/use-title";
import { useValue } from "@/live/hooks";
import { chooseAnnotator, chosenAnnotator } from "./entries";
import { LabelScreen } from "./LabelScreen";
import { PickAnnotator } from "./PickAnnotator";

/** `/annotation/:annotationId/label`: label one item after the other. */
export default function LabelPage() {
  const { annotationId = "" } = useParams();
  const signsIn = useValue(session)?.auth === "on";
  const [annotator, setAnnotator] = useState(chosenAnnotator);
  const work = useListWorkQuery({ annotatorId: signsIn ? null : annotator });
  const name = work.data?.tasks.find((one) => one.task_id === annotationId)?.name;
  const title = name === undefined ? "Label" : harmless(name);
  useTitle(title);
  const pick = (id: string | null) => {
    chooseAnnotator(id);
    setAnnotator(id);
  };
  const head = (
    <PageHead
      title={title} parent={{ to: "/annotation/work", label: "All work" }}
      actions={!signsIn && annotator !== null && <Button kind="ghost" onClick={() => pick(null)}>Somebody else labels</Button>}
    />
  );
  if (!signsIn && annotator === null) return <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-6 sm:px-6">{head}<PickAnnotator onPick={pick} /></div>;
  return <Labelling key={`${annotationId} ${annotator}`} taskId={annotationId} annotatorId={signsIn ? null : annotator} head={head} />;
}

function Labelling({ taskId, annotatorId, head }: { taskId: string; annotatorId: string | null; head: React.ReactNode }) {
  return <LabelScreen client={useLabelClient(taskId, annotatorId)} head={head} onward={<ButtonLink to="/annotation/work">Other work</ButtonLink>} />;
}
