/** The models that the providers list, for the palette. */

import { useEffect, useState } from "react";
import { ask, useApiDispatch } from "@/api/dispatch";
import { configApi } from "@/api/generated/config-api/providers";
import { useListProvidersQuery } from "@/api/providers";
import { useMay } from "@/lib/rights";
import type { Entry } from "./entries";

/** Each of them is asked for its models. */
const MOST_PROVIDERS = 10;

/** Return an entry for each model; it leads to the model's provider. Nothing is asked before `on`. */
export function useModels(on: boolean): readonly Entry[] {
  const dispatch = useApiDispatch();
  const providers = useListProvidersQuery({ limit: MOST_PROVIDERS }, { skip: !useMay("providers:read") || !on }).data?.items;
  const [models, setModels] = useState<readonly Entry[]>([]);
  useEffect(() => {
    for (const { id, name } of providers ?? []) {
      const entries = (listed: readonly { id: string }[]) => listed.map((model): Entry => ({ id: `model ${id} ${model.id}`, label: model.id, detail: name, icon: "play", to: `/providers/${id}` }));
      // A provider that does not answer has no models here.
      ask(dispatch(configApi.endpoints.listProviderModels.initiate({ id }))).then((answer) => setModels((now) => [...now.filter((one) => one.to !== `/providers/${id}`), ...entries(answer.models)]), () => undefined);
    }
  }, [dispatch, providers]);
  return models;
}
