const EXAMPLES = [
  ["CSV", "id,prompt,expected_output,difficulty\nsum,What is 17 + 25?,42,easy"],
  ["JSON Lines", '{"id": "sum", "prompt": "What is 17 + 25?",\n "ground_truth": {"answer": "42"},\n "metadata": {"difficulty": "easy"}}'],
  ["YAML ground truth", 'version: "1.0"\nquestions:\n  - id: sum\n    category: sums\n    question: What is 17 + 25?\n    expected_answer: "42"'],
] as const;

const COLUMNS = ["id", "context", "system_prompt", "conversation", "expected_output", "ground_truth", "metadata"];

/** Examples of the accepted file formats. */
export function FileShapes() {
  return (
    <section aria-labelledby="shapes" className="flex flex-col gap-3">
      <h2 id="shapes" className="text-sm font-semibold">What a file looks like</h2>
      <p className="text-ink-2">
        A case has a <Code>prompt</Code>, and may have {COLUMNS.map((name, index) => (
          <span key={name}>
            {index > 0 && (index === COLUMNS.length - 1 ? " and " : ", ")}
            <Code>{name}</Code>
          </span>
        ))}
        . Every other column is a field of its metadata.
      </p>
      <div className="grid gap-4 md:grid-cols-3">
        {EXAMPLES.map(([name, text]) => (
          <div key={name} className="card min-w-0 px-4 py-3">
            <h3 className="text-xs font-medium text-ink-2">{name}</h3>
            <pre className="mt-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap">{text}</pre>
          </div>
        ))}
      </div>
    </section>
  );
}

function Code({ children }: { children: string }) {
  return <code className="rounded bg-mute-soft px-1 font-mono text-xs text-ink">{children}</code>;
}
