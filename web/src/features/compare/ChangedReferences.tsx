import { Link, useSearchParams } from "react-router";
import { Icon } from "@/components/Icon";
import { writeOne } from "@/lib/url-state";

/** The sentence on references that differ between columns: their scores have another reason than the answers. */
export function ChangedReferences({ note }: { note: string | null }) {
  const [search] = useSearchParams();
  if (note === null) return null;
  return (
    <p className="flex items-start gap-1.5 text-warn">
      <Icon name="alert" className="mt-0.5 shrink-0" />
      <span>{note} <Link to={`?${writeOne(search, "show", "changed")}`} preventScrollReset className="font-medium text-accent underline">Show them</Link></span>
    </p>
  );
}
