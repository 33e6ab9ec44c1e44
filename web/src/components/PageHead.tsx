import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "./Icon";

interface Props {
  title: string;
  /** The page that this one belongs to. */
  parent?: { to: string; label: string };
  /** A figure or a sentence next to the title. */
  note?: ReactNode;
  /** The actions of the page. */
  actions?: ReactNode;
}

/** The head of a page: its title, the link to its parent and its actions. */
export function PageHead({ title, parent, note, actions }: Props) {
  return (
    <header>
      {parent && (
        <nav aria-label="Breadcrumb" className="mb-2 text-xs text-ink-2">
          <Link to={parent.to} className="inline-flex max-w-full items-center gap-1 hover:text-ink hover:underline">
            <Icon name="previous" className="size-3" />
            <span className="min-w-0 wrap-anywhere">{parent.label}</span>
          </Link>
        </nav>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          <p className="text-ink-2" role="status">{note}</p>
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </header>
  );
}
