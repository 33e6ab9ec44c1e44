import { skipToken } from "@reduxjs/toolkit/query/react";
import { useListProviderModelsQuery } from "@/api/providers";
import type { ProviderOut } from "@/api/generated/config-api";
import { Combobox } from "./Combobox";
import { SelectField } from "./Field";
import { plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";

interface Choice {
  providerId: string;
  model: string;
}

interface Props {
  providers: readonly ProviderOut[];
  value: Choice;
  onChange: (value: Choice) => void;
  providerError?: string | undefined;
  modelError?: string | undefined;
}

/** A provider and one of its models; where it lists none, the name is typed. */
export function ModelPicker({ providers, value, onChange, providerError, modelError }: Props) {
  const { currentData, error, isFetching } = useListProviderModelsQuery(value.providerId ? { id: value.providerId } : skipToken);
  const models = currentData?.models.map((one) => ({ value: one.id, label: harmless(one.id) })) ?? [];
  const hint = isFetching
    ? "Asking the provider for its models…"
    : error
      ? `The models cannot be listed (${toProblem(error).detail}) Type the name of a model.`
      : currentData && !currentData.supported
        ? "This provider lists no models: type the name of one."
        : currentData && value.model !== "" && !models.some((one) => one.value === value.model)
          ? <span className="text-warn">The provider lists no model “{harmless(value.model)}”.</span>
          : currentData && plural(models.length, "model");
  return (
    // Names of models are long: the fields are side by side only if the container is wide enough.
    <div className="@container">
      <div className="grid gap-3 @sm:grid-cols-2">
        <SelectField
          label="Provider"
          value={value.providerId}
          error={providerError}
          options={[{ value: "", label: "Choose…" }, ...providers.map((one) => ({ value: one.id, label: harmless(one.name) }))]}
          onChange={(providerId) => onChange({ providerId, model: "" })}
        />
        <Combobox
          label="Model"
          free="last"
          placeholder={value.providerId ? "Choose or type…" : "First choose a provider"}
          disabled={value.providerId === ""}
          choices={models}
          value={value.model}
          error={modelError}
          hint={hint}
          onChange={(model) => onChange({ ...value, model })}
        />
      </div>
    </div>
  );
}
