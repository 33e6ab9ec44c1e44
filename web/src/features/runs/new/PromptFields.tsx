import { useListPromptsQuery, useListPromptVersionsQuery } from "@/api/prompts";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { Combobox } from "@/components/Combobox";
import { SelectField } from "@/components/Field";
import { harmless } from "@/lib/plain-text";
import type { PromptChoice } from "./run-form";

interface Props {
  value: PromptChoice | null;
  error: string | undefined;
  onChange: (value: PromptChoice | null) => void;
}

const NONE = { value: "", label: "No prompt", detail: "context and question as they are" };

/** Choose a prompt, in its newest version at first, and another version of it. Without prompts there is nothing to choose. */
export function PromptFields({ value, error, onChange }: Props) {
  const { data } = useListPromptsQuery({ limit: 500 }, { refetchOnMountOrArgChange: true });
  const versions = useListPromptVersionsQuery(value ? { id: value.promptId, limit: 500 } : skipToken).currentData?.items ?? [];
  if (!value && !error && (data?.items ?? []).length === 0) return null;
  const listed = (data?.items ?? []).map((one) => ({ value: one.id, label: harmless(one.name), detail: `newest version ${one.newest.number}` }));
  // A copied run may have a prompt that is deleted: the server then says so.
  const choices = [NONE, ...listed, ...(value && !listed.some((one) => one.value === value.promptId) ? [{ value: value.promptId, label: harmless(value.name) }] : [])];
  const numbers = versions.some((one) => one.id === value?.versionId) || !value ? versions : [...versions, { id: value.versionId, number: value.number }];
  const choose = (id: string) => {
    const prompt = data?.items.find((one) => one.id === id);
    if (prompt) onChange({ promptId: id, versionId: prompt.newest.id, name: prompt.name, number: prompt.newest.number });
    else if (id !== value?.promptId) onChange(null);
  };
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_9rem]">
      <Combobox label="Prompt" hint="A template that makes the messages of each case." choices={choices} value={value?.promptId ?? ""} error={error} onChange={choose} />
      {value && (
        <SelectField
          label="Version"
          options={numbers.map((one) => ({ value: one.id, label: `Version ${one.number}` }))}
          value={value.versionId}
          onChange={(versionId) => onChange({ ...value, versionId, number: numbers.find((one) => one.id === versionId)?.number ?? value.number })}
        />
      )}
    </div>
  );
}
