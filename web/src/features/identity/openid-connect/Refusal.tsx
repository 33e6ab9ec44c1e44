import { Icon } from "@/components/Icon";
import { refusalIn } from "./reasons";

/** Say why a sign-in through an issuer was refused, if the address says so. */
export function Refusal({ search }: { search: URLSearchParams }) {
  const text = refusalIn(search);
  if (text === null) return null;
  return (
    <p role="alert" className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad">
      <Icon name="alert" className="mt-0.5" />
      <span>{text}</span>
    </p>
  );
}
