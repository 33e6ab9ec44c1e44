import { useState } from "react";
import { skipToken } from "@reduxjs/toolkit/query/react";
import { useListPromptsQuery, useListPromptVersionsQuery } from "@/api/prompts";
import { Combobox } from "@/components/Combobox";
import { SelectField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { formatDate } from "@/lib/format";
import { harmless } from "@/lib/plain-text";

interface Props {
  /** The id of a version, or nothing. */
  value: string;
  error: string | undefined;
  onChange: (versionId: string) => void;
}

const MOST_PROMPTS = 100;
const MOST_VERSIONS = 100;

/** Choose a prompt and one of its versions. It is rendered for every case. */
export function PromptPicker({ value, error, onChange }: Props) {
  const prompts = useListPromptsQuery({ limit: MOST_PROMPTS });
  const [chosen, setChosen] = useState("");
  const items = prompts.data?.items ?? [];
  const promptId = chosen || (items.find((one) => one.newest.id === value)?.id ?? "");
  const versions = useListPromptVersionsQuery(promptId === "" ? skipToken : { id: promptId, limit: MOST_VERSIONS }).currentData?.items ?? [];
  const options = versions.map((one) => ({ value: one.id, label: `Version ${one.number}, ${formatDate(one.created_at)}` }));
  const isKnown = value === "" || options.some((one) => one.value === value);
  const choose = (id: string) => {
    setChosen(id);
    onChange(items.find((one) => one.id === id)?.newest.id ?? "");
  };
  if (prompts.isError) return <ProblemNote error={prompts.error} />;
  return (
    <div className="flex flex-col gap-3">
      <Combobox
        label="Prompt"
        hint={items.length === 0 ? "There are no prompts yet: the question of each case is sent as it is." : "Without one, the question of each case is sent as it is."}
        placeholder={value !== "" && promptId === "" ? "An earlier version, see below" : "None"}
        disabled={items.length === 0}
        choices={[{ value: "", label: "None" }, ...items.map((one) => ({ value: one.id, label: harmless(one.name) }))]}
        value={promptId}
        error={promptId === "" ? error : undefined}
        onChange={choose}
      />
      {(value !== "" || promptId !== "") && (
        <SelectField label="Version of the prompt" value={value} options={[...(isKnown ? [] : [{ value, label: `Version with the id ${value.slice(0, 8)}…` }]), ...options]} error={error} onChange={onChange} />
      )}
    </div>
  );
}
