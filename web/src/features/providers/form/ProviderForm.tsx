import { useEffect, useRef, useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { matching } from "@/api/matching";
import { useCreateProviderMutation, useLazyListProvidersQuery, useTestUnsavedProviderMutation, useUpdateProviderMutation } from "@/api/providers";
import type { ProviderIn, ProviderOut, ProviderTestIn, ProviderTypeOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { Disclosure } from "@/components/Disclosure";
import { SelectField, TextField } from "@/components/Field";
import { SaveProblem } from "@/components/SaveProblem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { UnsavedGuard } from "@/components/UnsavedGuard";
import { errorAt, errorsUnder, stillTrue } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { toProblem } from "@/lib/problem";
import { HeaderFields, KeyField } from "./HeaderFields";
import { OptionFields } from "./OptionFields";
import { PriceFields } from "./PriceFields";
import { draftOf, emptyDraft, keyHeader, missing, missingToTest, sentPrices, toProvider, toTest, withType, type ProviderDraft } from "./provider-draft";
import { TestCard } from "./TestCard";

interface Props {
  /** Null for a new one. */
  provider: ProviderOut | null;
  types: readonly [ProviderTypeOut, ...ProviderTypeOut[]];
  onReload?: () => void;
}

type Tried = "nothing" | "test" | "save";

export function ProviderForm({ provider, types, onReload }: Props) {
  const navigate = useNavigate();
  const typeOf = (wanted: string) => types.find((one) => one.type === wanted) ?? types[0];
  // The form's initial version: changes are based on it, even if a newer one is fetched meanwhile.
  const [begun] = useState(() => ({ provider, draft: provider ? draftOf(provider, types.find((one) => one.type === provider.type)) : emptyDraft(types[0]) }));
  const [draft, setDraft] = useState(begun.draft);
  const [tried, setTried] = useState<Tried>("nothing");
  const [sent, setSent] = useState<ProviderIn | ProviderTestIn>();
  const [create, creating] = useCreateProviderMutation();
  const [update, updating] = useUpdateProviderMutation();
  const [test, testing] = useTestUnsavedProviderMutation();
  const [check, checked] = useLazyListProvidersQuery();
  const box = useRef<HTMLFormElement>(null);

  const id = begun.provider?.id ?? null;
  const type = typeOf(draft.type);
  const known = types.map((one) => ({ value: one.type, label: one.title }));
  // The type of a stored provider may no longer exist.
  const typeOptions = type.type === draft.type ? known : [...known, { value: draft.type, label: draft.type }];
  const body = toProvider(draft, type);
  const testBody = toTest(draft, type, id);
  const saving = begun.provider ? updating : creating;
  const set = (part: Partial<ProviderDraft>) => setDraft((now) => ({ ...now, ...part }));

  const lacking = tried === "save" ? missing(draft, type) : tried === "test" ? missingToTest(draft, type) : {};
  const refused = saving.error ?? testing.error;
  const errors = { ...(refused ? stillTrue(toProblem(refused).fields, sent, body) : {}), ...lacking };
  const taken = checked.originalArgs?.name === body.name && checked.currentData?.items.some((one) => one.id !== id);
  const nameError = errorAt(errors, "name") ?? (taken ? "Another provider has this name." : undefined);
  const unsaved = JSON.stringify(draft) !== JSON.stringify(begun.draft) && !saving.isSuccess;
  // A result is of what was sent: it goes when that changes.
  const isTested = JSON.stringify(testing.originalArgs?.providerTestIn) === JSON.stringify(testBody);

  const saved = saving.data;
  useEffect(() => {
    if (!saved) return;
    toast(`${saved.name} is saved.`);
    void navigate("/providers");
  }, [saved, navigate]);
  // A refusal may be far up the page: the eye is led to the first one.
  useEffect(() => {
    if (refused || tried !== "nothing") box.current?.querySelector("[aria-invalid=true]")?.scrollIntoView({ block: "center" });
  }, [refused, tried]);

  const save = () => {
    setTried("save");
    if (Object.keys(missing(draft, type)).length > 0 || saving.isLoading) return;
    testing.reset();
    setSent(body);
    if (begun.provider) void update({ id: begun.provider.id, "if-match": matching(begun.provider), providerIn: body });
    else void create({ providerIn: body });
  };
  const testNow = () => {
    setTried("test");
    if (Object.keys(missingToTest(draft, type)).length > 0) return;
    saving.reset();
    setSent(testBody);
    void test({ providerTestIn: testBody });
  };

  return (
    <form
      ref={box}
      noValidate
      autoComplete="off"
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <UnsavedGuard unsaved={unsaved} />
      <div className="flex min-w-0 flex-col gap-4">
        <Section title="Provider">
          <div className="grid gap-3 px-4 py-3 sm:grid-cols-2">
            <SelectField label="Type" value={draft.type} options={typeOptions} onChange={(next) => setDraft(withType(draft, type, typeOf(next)))} hint={type.type === draft.type && type.description} error={errorAt(errors, "type")} />
            <TextField
              label="Name"
              required
              maxLength={255}
              value={draft.name}
              error={nameError}
              onChange={(name) => set({ name })}
              onBlur={() => body.name !== "" && body.name !== begun.provider?.name && void check({ name: body.name, limit: 1 })}
            />
            <TextField
              className="sm:col-span-2"
              label="Base URL"
              required={type.base_url === null}
              type="url"
              spellCheck={false}
              placeholder={type.base_url_example}
              value={draft.baseUrl}
              error={errorAt(errors, "base_url")}
              hint={type.base_url === null ? `As in ${type.base_url_example}.` : `If empty: ${type.base_url}.`}
              onChange={(baseUrl) => set({ baseUrl })}
            />
            {type.secret_header !== null && (
              <div className="sm:col-span-2">
                <KeyField draft={draft} type={type} errors={errors} onChange={setDraft} />
              </div>
            )}
          </div>
          <div className="divide-y divide-line border-t border-line px-4 [&>details]:py-2">
            <Fold title="Headers" summary={draft.headers.map((one) => one.name).join(", ") || "none"} filled={begun.draft.headers.some((one) => one !== keyHeader(begun.draft, type))} faulty={errorsUnder(errors, "headers").length > 0}>
              <HeaderFields draft={draft} type={type} errors={errors} onChange={setDraft} />
            </Fold>
            <Fold title="Options" summary={draft.options.map((one) => one.name).join(", ") || `sent with every request, as ${type.options[0]?.name ?? "top_k"}`} filled={begun.draft.options.length > 0} faulty={errorsUnder(errors, "options").length > 0}>
              <OptionFields options={draft.options} type={type} errors={errors} onChange={(options) => set({ options })} />
            </Fold>
            <Fold title="Prices" summary={draft.prices.length > 0 ? plural(draft.prices.length, "model") : "your own, for the cost of a run"} filled={begun.draft.prices.length > 0} faulty={errorsUnder(errors, "prices").length > 0}>
              <PriceFields prices={draft.prices} sent={sentPrices(draft)} models={testing.data?.models ?? []} errors={errors} onChange={(prices) => set({ prices })} />
            </Fold>
            <Fold title="Endpoints" summary={`${draft.modelsEndpoint || type.models_endpoint}, ${draft.inferenceEndpoint || type.inference_endpoint}`} filled={begun.draft.modelsEndpoint !== "" || begun.draft.inferenceEndpoint !== ""} faulty={errorAt(errors, "models_endpoint", "inference_endpoint") !== undefined}>
              <div className="grid gap-3 pb-2 sm:grid-cols-2">
                <TextField label="List of models" spellCheck={false} placeholder={type.models_endpoint} hint="A path on the base URL. If empty: the type’s own." value={draft.modelsEndpoint} error={errorAt(errors, "models_endpoint")} onChange={(modelsEndpoint) => set({ modelsEndpoint })} />
                <TextField label="Answers" spellCheck={false} placeholder={type.inference_endpoint} value={draft.inferenceEndpoint} error={errorAt(errors, "inference_endpoint")} onChange={(inferenceEndpoint) => set({ inferenceEndpoint })} />
              </div>
            </Fold>
          </div>
        </Section>
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-4">
        <TestCard listsModels={type.lists_models} busy={testing.isLoading} result={isTested ? testing.data : undefined} error={isTested ? testing.error : undefined} onTest={testNow} />
        <SaveProblem error={saving.error} what="provider" onReload={onReload} />
        <div className="flex gap-2">
          <Button kind="primary" type="submit" className="flex-1" disabled={saving.isLoading}>
            {saving.isLoading ? "Saving…" : begun.provider ? "Save" : "Add the provider"}
          </Button>
          <Button onClick={() => void navigate("/providers")}>Cancel</Button>
        </div>
      </div>
    </form>
  );
}

interface FoldProps {
  title: string;
  summary: string;
  filled: boolean;
  faulty: boolean;
  children: ReactNode;
}

/** A section that opens when it has content or errors; it never closes by itself while the user edits it. */
function Fold({ title, summary, filled, faulty, children }: FoldProps) {
  const [open, setOpen] = useState(filled);
  if (faulty && !open) setOpen(true);
  return (
    <Disclosure title={title} summary={summary} open={open}>
      {children}
    </Disclosure>
  );
}
