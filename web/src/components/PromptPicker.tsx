import { useState } from "react";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useListPromptsQuery, useListPromptVersionsQuery } from "@/api/prompts";
import { harmless } from "@/lib/plain-text";
import { Combobox } from "./Combobox";
import { SelectField } from "./Field";
import { ProblemNote } from "./Problem";

export interface PromptChoice {
  promptId: string;
  versionId: string;
  name: string;
  number: number;
}

interface Props {
  /** The version that is chosen, with what is known of its prompt. */
  value: Partial<PromptChoice> & { versionId: string } | null;
  error: string | undefined;
  /** Also shown while there are no prompts, with a link to write one. */
  isAlways?: boolean;
  onChange: (value: PromptChoice | null) => void;
}

const NONE = { value: "", label: "No prompt", detail: "context and question as they are" };

/** Choose a prompt, in its newest version at first, and another version of it. Without prompts there is nothing to choose. */
export function PromptPicker({ value, error, isAlways = false, onChange }: Props) {
  const prompts = useListPromptsQuery({ limit: 500 }, { refetchOnMountOrArgChange: true, refetchOnFocus: isAlways });
  const [last, setLast] = useState<PromptChoice | null>(null);
  const items = prompts.data?.items ?? [];
  const newest = items.find((one) => one.newest.id === value?.versionId);
  const known = value?.versionId === last?.versionId ? last : null;
  const promptId = value?.promptId ?? known?.promptId ?? newest?.id ?? "";
  const versions = useListPromptVersionsQuery(value && promptId !== "" ? { id: promptId, limit: 500 } : skipToken).currentData?.items ?? [];
  if (prompts.isError && !prompts.data) return <ProblemNote error={prompts.error} />;
  if (!isAlways && !value && !error && items.length === 0) return null;
  const listed = items.map((one) => ({ value: one.id, label: harmless(one.name), detail: `newest version ${one.newest.number}` }));
  // A copy may have a prompt that is deleted: the server then says so.
  const isListed = promptId === "" || listed.some((one) => one.value === promptId);
  const choices = [NONE, ...listed, ...(isListed ? [] : [{ value: promptId, label: harmless(value?.name ?? "A deleted prompt") }])];
  const options = versions.map((one) => ({ value: one.id, label: `Version ${one.number}` }));
  const isKnown = !value || options.some((one) => one.value === value.versionId);
  const named = value?.number === undefined ? "An earlier version" : `Version ${value.number}`;
  const pick = (choice: PromptChoice | null) => {
    setLast(choice);
    onChange(choice);
  };
  const choose = (id: string) => {
    const prompt = items.find((one) => one.id === id);
    if (prompt) pick({ promptId: id, versionId: prompt.newest.id, name: prompt.name, number: prompt.newest.number });
    else if (id !== promptId || id === "") pick(null);
  };
  const chooseVersion = (versionId: string) => {
    const number = versions.find((one) => one.id === versionId)?.number;
    const name = value?.name ?? items.find((one) => one.id === promptId)?.name ?? "";
    if (number !== undefined) pick({ promptId, versionId, name, number });
  };
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="min-w-48 flex-1">
        <Combobox label="Prompt" hint="A template that makes the messages of each case." {...(value && promptId === "" && { placeholder: "An earlier version" })} choices={choices} value={promptId} error={error} onChange={choose} />
      </div>
      {value && <div className="w-36"><SelectField label="Version" options={[...(isKnown ? [] : [{ value: value.versionId, label: named }]), ...options]} value={value.versionId} onChange={chooseVersion} /></div>}
    </div>
  );
}
