import { useId, type ReactNode } from "react";
import type { CaseToLabel } from "@/api/generated/config-api";
import { PlainText } from "@/components/PlainText";
import { harmless } from "@/lib/plain-text";

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

interface Turn {
  role: string;
  content: string;
}

const turnsOf = (value: unknown): Turn[] => (Array.isArray(value) ? value.filter((one): one is Turn => typeof (one as Turn | null)?.content === "string") : []);

const NAMES = ["The first answer", "The second answer"];

/** An item in the order in which a model received it, followed by what is to be judged. Everything in it is text. */
export function CaseView({ shown }: { shown: CaseToLabel }) {
  const { input, output, reference, target, answers = [] } = shown;
  const turns = turnsOf(input.conversation);
  return (
    <div className="flex flex-col gap-4">
      <Part title="System prompt" text={textOf(input.system_prompt)} />
      <Part title="Context" text={textOf(input.context)} />
      {turns.length > 0 && (
        <Frame title="Conversation before it">
          <ol className="flex flex-col gap-2">
            {turns.map((turn, index) => (
              <li key={index} className={`rounded-md border border-line px-3 py-2 ${turn.role === "assistant" ? "ml-6 bg-surface" : "mr-6 bg-sunken"}`}>
                <p className="text-xs text-ink-3">{harmless(String(turn.role))}</p>
                <PlainText text={turn.content} maxLines={20} />
              </li>
            ))}
          </ol>
        </Frame>
      )}
      <Part title="Question" text={textOf(input.prompt)} />
      <Part title={target ? `Answer of ${harmless(target)}` : "Answer"} text={output} isMarked />
      {answers.length > 0 && (
        <div className="grid items-start gap-4 md:grid-cols-2">
          {answers.map((answer, place) => <Part key={place} title={`${NAMES[place]}${answer.target ? `, ${harmless(answer.target)}` : ""}`} text={answer.text} isMarked />)}
        </div>
      )}
      <Part title="Expected output" text={reference} />
    </div>
  );
}

function Part({ title, text, isMarked = false }: { title: string; text: string | null; isMarked?: boolean }) {
  if (text == null) return null;
  return (
    <Frame title={title}>
      <PlainText text={text} className={`rounded-md border px-3 py-2 ${isMarked ? "border-line-strong bg-surface" : "border-line bg-sunken"}`} />
    </Frame>
  );
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="mb-1 text-xs font-medium text-ink-2">{title}</h3>
      {children}
    </section>
  );
}
