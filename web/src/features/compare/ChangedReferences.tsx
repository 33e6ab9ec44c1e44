import { Link, useSearchParams } from "react-router";
import { Icon } from "@/components/Icon";
import { writeOne } from "@/lib/url-state";
import { CASES } from "./PassSentence";

/** The sentence on references that differ between columns: their scores have another reason than the answers. */
export function ChangedReferences({ note }: { note: string | null }) {
  const [search] = useSearchParams();
  if (note === null) return null;
  return (
    <p className="flex items-start gap-1.5 text-warn">
      <Icon name="alert" className="mt-0.5 shrink-0" />
      <span>{note} <Link to={{ search: `?${writeOne(search, "show", "changed")}`, hash: `#${CASES}` }} className="font-medium text-accent underline">Show them</Link></span>
    </p>
  );
}
