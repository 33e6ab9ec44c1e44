import { useId, type ReactNode } from "react";
import { PlainText } from "@/components/PlainText";

export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
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
