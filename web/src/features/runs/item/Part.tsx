import { useId, type ReactNode } from "react";
import { PlainText } from "@/components/PlainText";

interface Props {
  title: string;
  /** The id that links within the panel point to. */
  anchor?: string;
  children: ReactNode;
}

export function Part({ title, anchor, children }: Props) {
  const id = useId();
  return (
    <section id={anchor} aria-labelledby={id} className="scroll-mt-4">
      <h3 id={id} className="mb-2 text-sm font-semibold">
        {title}
      </h3>
      {children}
    </section>
  );
}

export function TextBox({ text }: { text: string }) {
  return <PlainText text={text} className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5" />;
}
