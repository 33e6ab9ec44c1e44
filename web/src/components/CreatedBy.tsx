import { GONE, useCreator } from "@/api/creator";

/** Say who created something; nothing without sign-in. */
export function CreatedBy({ id }: { id: string | null | undefined }) {
  const name = useCreator(id)[0]?.[1];
  return name === undefined ? null : <span className="text-xs text-ink-3 wrap-anywhere">created by {name === GONE ? "somebody who left" : name}</span>;
}
