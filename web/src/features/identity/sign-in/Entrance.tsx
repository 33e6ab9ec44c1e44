/** The form of a page that opens a session: a card of its own, without the navigation. */

import { use, useState, type ReactNode } from "react";
import { Button } from "@/components/Button";
import { TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { stillTrue } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";
import { useTheme } from "@/lib/theme";
import { useFaultFocus } from "@/lib/use-fault-focus";
import { useTitle } from "@/lib/use-title";
import { Leave } from "../leave";
import { useSession } from "../use-session";

export function Frame({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  useFaultFocus();
  // No button of the header stands here, which follows the system otherwise.
  useTheme();
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-8">
      <p className="mb-3 text-center font-semibold tracking-tight">llmbench</p>
      <div className="card flex flex-col gap-4 p-5">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
    </main>
  );
}

interface FieldSpec {
  name: string;
  label: string;
  autoComplete: string;
  type?: "email" | "password";
  hint?: string;
  /** The fewest characters; 1 unless said. */
  least?: number;
}

interface Props {
  title: string;
  intro?: ReactNode;
  fields: readonly FieldSpec[];
  action: string;
  /** The path to open after the sign-in. */
  next: string;
  send: (values: Record<string, string>) => Promise<{ data?: unknown; error?: unknown }>;
  outro?: ReactNode;
}

const missing = (fields: readonly FieldSpec[], values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, label, least = 1 }) => {
      const length = (values[name] ?? "").trim().length;
      if (length >= least) return [];
      return [[name, length === 0 ? `Enter: ${label.toLowerCase()}.` : `Use at least ${least} characters.`]];
    }),
  );

export function Entrance({ title, intro, fields, action, next, send, outro }: Props) {
  const leave = use(Leave);
  const known = useSession();
  const [values, setValues] = useState<Record<string, string>>({});
  const [isTried, setTried] = useState(false);
  const [state, setState] = useState<{ busy: boolean; error?: unknown; sent?: Record<string, string> }>({ busy: false });
  const refused = state.error === undefined ? {} : stillTrue(toProblem(state.error).fields, state.sent, values);
  const errors = { ...refused, ...(isTried ? missing(fields, values) : {}) };
  const submit = async () => {
    setTried(true);
    if (state.busy || Object.keys(missing(fields, values)).length > 0) return;
    setState({ busy: true });
    const answer = await send(values);
    if (answer.error === undefined) leave(next);
    else setState({ busy: false, error: answer.error, sent: values });
  };
  if (known?.auth === "off") {
    return (
      <Frame title={title}>
        <p className="text-ink-2">Nobody signs in here: the platform runs with LLMBENCH_AUTH=off.</p>
        <a href="/" className="text-accent underline underline-offset-2">Go to the runs</a>
      </Frame>
    );
  }
  return (
    <Frame title={title}>
      {intro && <div className="text-ink-2">{intro}</div>}
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {fields.map(({ name, label, type, hint, autoComplete }) => (
          <TextField key={name} name={name} required spellCheck={false} autoCapitalize="none" label={label} type={type ?? "text"} hint={hint} autoComplete={autoComplete} value={values[name] ?? ""} error={errors[name]} onChange={(text) => setValues((now) => ({ ...now, [name]: text }))} />
        ))}
        {state.error !== undefined && <ProblemNote error={state.error} />}
        <Button kind="primary" type="submit" disabled={state.busy}>{state.busy ? "One moment…" : action}</Button>
      </form>
      {outro}
    </Frame>
  );
}

export function LinkMissing({ title }: { title: string }) {
  return (
    <Frame title={title}>
      <p className="text-ink-2">This page needs the whole link, with everything behind the # sign. A link works once: open it again as you received it, or ask for a new one.</p>
      <a href="/sign-in" className="text-accent underline underline-offset-2">Sign in instead</a>
    </Frame>
  );
}
