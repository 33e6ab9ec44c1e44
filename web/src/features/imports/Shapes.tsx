import { ButtonLink } from "@/components/Button";

const EXAMPLES = [
  ["CSV", "question,answer,category\nWhat is 17 + 25?,42,arithmetic"],
  ["JSON Lines", '{"question": "What is 17 + 25?", "answer": "42", "level": 2}'],
  ["YAML", "- task_id: sum\n  category: arithmetic\n  question: What is 17 + 25?\n  accepted_answers: ['42']"],
] as const;

/** Examples of the accepted file formats. */
export function Shapes() {
  return (
    <section aria-labelledby="shapes" className="flex flex-col gap-3">
      <h2 id="shapes" className="text-sm font-semibold">What a file looks like</h2>
      <p className="max-w-3xl text-ink-2">
        One row per question. Columns may have any name and order: question, answer, choices, context, category and many more are recognised, you map the rest, and what is left becomes metadata. You see every
        step before anything changes.
      </p>
      <div className="grid gap-4 md:grid-cols-3">
        {EXAMPLES.map(([name, text]) => (
          <div key={name} className="card min-w-0 px-4 py-3">
            <h3 className="text-xs font-medium text-ink-2">{name}</h3>
            <pre className="mt-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{text}</pre>
          </div>
        ))}
      </div>
      <p>
        <ButtonLink to="/tasks/new" icon="plus">Write a task by hand instead</ButtonLink>
      </p>
    </section>
  );
}
