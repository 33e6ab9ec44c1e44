import { useState } from "react";
import { useNavigate } from "react-router";
import { useListProvidersQuery } from "@/api/providers";
import { usePublishDocumentAsDatasetMutation } from "@/api/documents";
import type { DocumentOut, PublishDocument } from "@/api/generated/config-api";
import type { CreateRun } from "@/api/generated/orchestrator";
import { useCreateRunMutation } from "@/api/runs";
import { Button, ButtonLink } from "@/components/Button";
import { CheckField, NumberField, TextField } from "@/components/Field";
import { Skeleton } from "@/components/Message";
import { ModelPicker } from "@/components/ModelPicker";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { uniqueKey } from "@/lib/unique-key";

/** The defaults, which equal the server's. */
const USUAL = { chunkCharacters: 6000, conversations: 3, turns: 3 } as const;

interface Wanted {
  chunkCharacters: number | null;
  conversations: number | null;
  turns: number | null;
  firstPage: number | null;
  lastPage: number | null;
  datasetName: string;
}

/** Return the default name, which equals the server's. */
const usualName = (document: DocumentOut) => `${[...document.name].slice(0, 240).join("")}: chunks`;

const NOTHING_SAID: Wanted = { chunkCharacters: null, conversations: null, turns: null, firstPage: null, lastPage: null, datasetName: "" };

function toBody(form: Wanted): PublishDocument {
  return {
    ...(form.datasetName.trim() !== "" && { dataset_name: form.datasetName.trim() }),
    ...(form.chunkCharacters !== null && { chunk_characters: form.chunkCharacters }),
    ...(form.conversations !== null && { conversations: form.conversations }),
    ...(form.turns !== null && { turns: form.turns }),
    ...(form.firstPage !== null && { first_page: form.firstPage }),
    ...(form.lastPage !== null && { last_page: form.lastPage }),
  };
}

/** Cut the document into chunks and start a run in which a model writes questions from each. */
export function WriteQuestions({ document }: { document: DocumentOut }) {
  const navigate = useNavigate();
  const providers = useListProvidersQuery({ limit: 500 });
  const [form, setForm] = useState(NOTHING_SAID);
  const [model, setModel] = useState({ providerId: "", model: "" });
  const [check, setCheck] = useState(true);
  const [isTried, setTried] = useState(false);
  // The published version is kept: retrying a refused run must not publish another one.
  const [published, setPublished] = useState<{ body: string; run: Omit<CreateRun, "targets"> } | null>(null);
  const [sent, setSent] = useState<{ body: string; key: string } | null>(null);
  const [asked, setAsked] = useState<PublishDocument>();
  const [publish, publishing] = usePublishDocumentAsDatasetMutation();
  const [create, creating] = useCreateRunMutation();
  const set = (part: Partial<Wanted>) => setForm((now) => ({ ...now, ...part }));
  const busy = publishing.isLoading || creating.isLoading;
  const body = toBody(form);
  const errors = publishing.error ? stillTrue(toProblem(publishing.error).fields, asked, body) : {};
  const lacking = !isTried ? null : model.providerId === "" ? "Choose a provider." : null;
  const lackingModel = isTried && model.providerId !== "" && model.model === "" ? "Choose the model that writes." : null;

  const submit = async () => {
    setTried(true);
    if (busy || model.model === "") return;
    const key = JSON.stringify(body);
    let ready = published?.body === key ? published : null;
    if (!ready) {
      setAsked(body);
      const answer = await publish({ documentId: document.document_id, publishDocument: body });
      if (!answer.data) return;
      ready = { body: key, run: answer.data.run };
      setPublished(ready);
    }
    const run: CreateRun = { ...ready.run, targets: [{ provider_id: model.providerId, model: model.model }], check_providers: check };
    // The same request sent twice (a lost response, a double click) creates one run.
    const request = sent?.body === JSON.stringify(run) ? sent : { body: JSON.stringify(run), key: uniqueKey() };
    setSent(request);
    const answer = await create({ createRun: run, "Idempotency-Key": request.key });
    if (answer.data) void navigate(`/runs/${answer.data.id}`);
  };

  if (!providers.data)
    return (
      <Section title="Write questions from this document" className="lg:sticky lg:top-4">
        {providers.isError ? <ErrorMessage error={providers.error} onRetry={() => void providers.refetch()} /> : <div role="status" aria-label="Loading the providers" className="p-4"><Skeleton className="h-64" /></div>}
      </Section>
    );
  return (
    <Section title="Write questions from this document" className="lg:sticky lg:top-4">
      <form
        noValidate
        className="flex flex-col gap-4 px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-ink-2">A run asks a model to write them. Only conversations whose passages occur in the document are kept.</p>
        {providers.data.items.length === 0 ? (
          <ButtonLink right="providers:create" to="/providers/new" icon="plus">Add a provider first</ButtonLink>
        ) : (
          <ModelPicker providers={providers.data.items} value={model} onChange={setModel} providerError={lacking ?? undefined} modelError={lackingModel ?? undefined} />
        )}
        <div className="grid grid-cols-2 items-start gap-3">
          <NumberField label="Conversations" hint="Per chunk, at most." min={1} max={20} step={1} placeholder={String(USUAL.conversations)} value={form.conversations} error={errorAt(errors, "conversations")} onChange={(conversations) => set({ conversations })} />
          <NumberField label="Questions" hint="Per conversation." min={1} max={10} step={1} placeholder={String(USUAL.turns)} value={form.turns} error={errorAt(errors, "turns")} onChange={(turns) => set({ turns })} />
          <NumberField label="From page" min={1} max={document.page_count} step={1} placeholder="1" value={form.firstPage} error={errorAt(errors, "first_page")} onChange={(firstPage) => set({ firstPage })} />
          <NumberField label="To page" min={1} max={document.page_count} step={1} placeholder={String(document.page_count)} value={form.lastPage} error={errorAt(errors, "last_page")} onChange={(lastPage) => set({ lastPage })} />
          <NumberField className="col-span-2" label="Characters per chunk" hint="Approximate size of the text in one call." min={500} max={50_000} step={100} placeholder={String(USUAL.chunkCharacters)} value={form.chunkCharacters} error={errorAt(errors, "chunk_characters")} onChange={(chunkCharacters) => set({ chunkCharacters })} />
          <TextField className="col-span-2" label="Dataset of the chunks" placeholder={harmless(usualName(document))} maxLength={255} value={form.datasetName} error={errorAt(errors, "dataset_name")} onChange={(datasetName) => set({ datasetName })} />
        </div>
        <CheckField label="Check first that the provider has this model" checked={check} onChange={setCheck} />
        {publishing.error !== undefined && <ProblemNote error={publishing.error} />}
        {creating.error !== undefined && <ProblemNote error={creating.error} />}
        <Button kind="primary" icon="play" type="submit" disabled={busy}>{busy ? "Starting…" : "Start the run"}</Button>
      </form>
    </Section>
  );
}
