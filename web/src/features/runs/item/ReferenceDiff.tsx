import { DiffView } from "@/components/DiffView";

interface Props {
  /** The name and the text of a reference. */
  reference: readonly [string, string];
  answer: string;
  className?: string;
}

/** An answer with its changes from a reference. */
export default function ReferenceDiff({ reference: [name, text], answer, className }: Props) {
  return (
    <>
      <p className="mb-1 text-xs text-ink-3">Compared with the reference “{name}”.</p>
      <DiffView before={text} after={answer} className={className} />
    </>
  );
}
