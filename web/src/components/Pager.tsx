import { formatCount } from "@/lib/format";
import { Button } from "./Button";

interface Props {
  /** The accessible name, such as `Pages of cases`. */
  label: string;
  /** Counted from 1. */
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
}

/** Page through a long list. A single page needs no pager. */
export function Pager({ label, page, perPage, total, onPage }: Props) {
  const pages = Math.max(1, Math.ceil(total / perPage));
  if (pages === 1 && page === 1) return null;
  const first = (page - 1) * perPage + 1;
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-2.5">
      <p role="status" className="text-xs text-ink-2">
        {first > total ? "Nothing on this page" : `${formatCount(first)} – ${formatCount(Math.min(total, page * perPage))} of ${formatCount(total)}`}
      </p>
      <div className="flex items-center gap-2">
        <Button icon="previous" disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, pages))}>
          Previous
        </Button>
        <span className="text-xs text-ink-2">
          Page {formatCount(page)} of {formatCount(pages)}
        </span>
        <Button icon="next" disabled={page >= pages} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}
