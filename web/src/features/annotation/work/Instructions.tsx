import { useRef } from "react";
import { Disclosure } from "@/components/Disclosure";
import { useShortcuts } from "@/lib/shortcuts";
import { Markdown } from "../Markdown";

/** The instructions: open at the first item, folded at the others. */
export function Instructions({ text, isFirst }: { text: string; isFirst: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useShortcuts("Instructions", [
    {
      keys: ["i"],
      label: "Show or hide the instructions",
      run: () => {
        const details = box.current?.querySelector("details");
        if (details) details.open = !details.open;
      },
    },
  ]);
  return (
    <div ref={box} className="card px-4 py-2">
      <Disclosure title="Instructions" open={isFirst}>
        <div tabIndex={0} role="region" aria-label="Instructions" className="max-h-96 overflow-y-auto pb-2"><Markdown text={text} className="max-w-prose" /></div>
      </Disclosure>
    </div>
  );
}
