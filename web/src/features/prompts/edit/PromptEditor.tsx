import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { PromptIn, PromptOut, PromptVariable, PromptVersionIn, PromptVersionOut } from "@/api/generated/config-api";
import { useAddPromptVersionMutation, useCreatePromptMutation } from "@/api/prompts";
import { Button } from "@/components/Button";
import { TextAreaField, TextField } from "@/components/Field";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { UnsavedGuard } from "@/components/UnsavedGuard";
import { errorAt, errorsUnder, stillTrue } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { usedOf } from "../prompt-words";
import { Preview } from "./Preview";
import { useRendered } from "./useRendered";
import { VariablesSection } from "./VariablesSection";

interface Props {
  /** Null for a new prompt. */
  stored: PromptOut | null;
  /** The version that the new one starts from. */
  from: PromptVersionOut | null;
}

interface Form {
  name: string;
  description: string;
  system: string;
  user: string;
  declared: readonly PromptVariable[];
  notes: string;
}

const startOf = (from: PromptVersionOut | null): Form => ({
  name: "", description: "", system: from?.system_template ?? "", user: from?.user_template ?? "{{question}}", declared: from?.variables ?? [], notes: "",
});

/** Write a version: templates, variables, and what they make of real cases. Saving makes a version that never changes. */
export function PromptEditor({ stored, from }: Props) {
  const navigate = useNavigate();
  const [begun] = useState(() => startOf(from));
  const [form, setForm] = useState(begun);
  const [sent, setSent] = useState<PromptIn | PromptVersionIn>();
  const [isTried, setTried] = useState(false);
  /** The address of what was saved. */
  const [saved, setSaved] = useState<string | null>(null);
  const [create, creating] = useCreatePromptMutation();
  const [add, adding] = useAddPromptVersionMutation();
  const set = (part: Partial<Form>) => setForm((now) => ({ ...now, ...part }));

  const templates = { system_template: form.system.trim() === "" ? null : form.system, user_template: form.user, variables: usedOf(form.declared, form.system, form.user) };
  const version: PromptVersionIn = { ...templates, notes: form.notes.trim() === "" ? null : form.notes };
  const body: PromptIn | PromptVersionIn = stored ? version : { ...version, name: form.name.trim(), description: form.description.trim() === "" ? null : form.description };
  const rendered = useRendered(templates);
  const saving = stored ? adding : creating;
  const refused = saving.error ? stillTrue(toProblem(saving.error).fields, sent, body) : {};
  const errors: Record<string, string> = {
    ...refused,
    ...rendered.errors,
    ...(isTried && !stored && form.name.trim() === "" && { name: "Enter a name; runs show it." }),
    ...(form.user.trim() === "" && { user_template: "Write the user message. {{question}} stands for the question of a case." }),
  };

  const save = async () => {
    setTried(true);
    if (saving.isLoading || form.user.trim() === "" || (!stored && form.name.trim() === "")) return;
    setSent(body);
    const answer = stored ? await add({ id: stored.id, promptVersionIn: version }) : await create({ promptIn: body as PromptIn });
    if (!answer.data) return;
    const number = "newest" in answer.data ? answer.data.newest.number : answer.data.number;
    toast(`Version ${number} is saved.`);
    setSaved(stored ? `/prompts/${stored.id}${from ? `?against=${from.number}` : ""}` : `/prompts/${answer.data.id}`);
  };
  // Leave after the guard knows that nothing is unsaved any more.
  useEffect(() => {
    if (saved !== null) void navigate(saved);
  }, [saved, navigate]);
  const shown = Object.values(errors).length > 0 && saving.error !== undefined && Object.keys(refused).length > 0;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <UnsavedGuard unsaved={saved === null && JSON.stringify(form) !== JSON.stringify(begun)} />
      <PageHead
        title={stored ? `New version of ${harmless(stored.name)}` : "New prompt"}
        parent={stored ? { to: `/prompts/${stored.id}`, label: `${harmless(stored.name)}, version ${stored.newest.number}` } : { to: "/prompts", label: "All prompts" }}
        note={stored && from && `From version ${from.number}`}
        actions={<Button type="submit" kind="primary" icon={stored ? "check" : "plus"} disabled={saving.isLoading}>{saving.isLoading ? "Saving…" : stored ? `Save as version ${stored.newest.number + 1}` : "Create the prompt"}</Button>}
      />
      {saving.error !== undefined && !shown && <ProblemNote error={saving.error} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          {!stored && (
            <Section title="Prompt">
              <div className="flex flex-col gap-3 px-4 py-4">
                <TextField label="Name" required maxLength={255} value={form.name} error={errorAt(errors, "name")} onChange={(name) => set({ name })} />
                <TextAreaField label="Description" rows={2} value={form.description} error={errorAt(errors, "description")} onChange={(description) => set({ description })} />
              </div>
            </Section>
          )}
          <Section title="Templates">
            <div className="flex flex-col gap-3 px-4 py-4">
              <TextAreaField mono label="System message" hint="Optional. It follows the system prompt of the run." rows={4} spellCheck={false} dir="auto" value={form.system} error={errorAt(errors, "system_template")} onChange={(system) => set({ system })} />
              <TextAreaField
                mono
                label="User message"
                required
                hint={<>Replaces context and question. <code>{"{{question}}"}</code>, <code>{"{{context}}"}</code>, <code>{"{{category}}"}</code>, <code>{"{{subcategory}}"}</code> and <code>{"{{task_id}}"}</code> are fields of the case; any other name is a key of its metadata.</>}
                rows={10}
                spellCheck={false}
                dir="auto"
                value={form.user}
                error={errorAt(errors, "user_template")}
                onChange={(user) => set({ user })}
              />
              {stored && <TextAreaField label="What this version changes" rows={2} value={form.notes} error={errorAt(errors, "notes")} onChange={(notes) => set({ notes })} />}
            </div>
          </Section>
          <VariablesSection
            variables={rendered.variables}
            errors={errorsUnder(errors, "variables")}
            onChange={(next) => set({ declared: [...form.declared.filter(({ name }) => name !== next.name), next] })}
          />
        </div>
        <Preview rendered={rendered} />
      </div>
    </form>
  );
}
