import { use, useState } from "react";
import { useChangeOrganisationMutation, useCloseOrganisationMutation, useGetOrganisationQuery } from "@/api/identity";
import { useListEvaluatorsQuery } from "@/api/generated/config-api/evaluators";
import type { OrganisationOut, SessionOut } from "@/api/generated/identity";
import { may } from "@/api/session";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { MultiSelect } from "@/components/Combobox";
import { FactStrip, type Fact } from "@/components/FactStrip";
import { TextField } from "@/components/Field";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { formatBytes, formatCount } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { HOME, Leave } from "../leave";
import { Awaited, SettingsPage } from "./Page";

export default function OrganisationPage() {
  return <SettingsPage title="Organisation" right="organisation:read">{(session) => <Organisation session={session} />}</SettingsPage>;
}

function Organisation({ session }: { session: SessionOut }) {
  const query = useGetOrganisationQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <>
      <PageHead title="Organisation" />
      {query.data ? (
        <>
          <Plan organisation={query.data} />
          <SettingsForm key={query.data.version} organisation={query.data} mayChange={may(session, "organisation:update")} />
          {query.data.closable && may(session, "organisation:delete") && <Closing organisation={query.data} />}
        </>
      ) : (
        <div className="card"><Awaited query={query} label="organisation" /></div>
      )}
    </>
  );
}

const count = (limit: number | null) => (limit === null ? "No limit" : formatCount(limit));

function Plan({ organisation: { plan, limits } }: { organisation: OrganisationOut }) {
  const facts: Fact[] = [
    ["Plan", plan, "The operator of the platform sets it."],
    ["Members", count(limits.members)],
    ["Runs a day (UTC)", count(limits.runs_a_day)],
    ["Calls at a time to a model", count(limits.concurrency)],
    ["Stored files", limits.storage_bytes === null ? "No limit" : formatBytes(limits.storage_bytes)],
  ];
  return <FactStrip label="Plan" facts={facts} />;
}

const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

function SettingsForm({ organisation, mayChange }: { organisation: OrganisationOut; mayChange: boolean }) {
  const { settings } = organisation;
  const [name, setName] = useState(organisation.name);
  const [email, setEmail] = useState(organisation.billing_email ?? "");
  const [budget, setBudget] = useState(settings.cost_budget_monthly_usd?.toString() ?? "");
  const [days, setDays] = useState(settings.data_retention_days?.toString() ?? "");
  const [evaluators, setEvaluators] = useState<readonly string[]>(settings.default_evaluators ?? []);
  const catalogue = useListEvaluatorsQuery();
  const [change, changing] = useChangeOrganisationMutation();
  const body = {
    name: name.trim(),
    billing_email: email.trim() === "" ? null : email.trim(),
    settings: { cost_budget_monthly_usd: numberOf(budget), data_retention_days: numberOf(days), default_evaluators: evaluators.length === 0 ? null : [...evaluators] },
  };
  const errors = changing.error ? stillTrue(toProblem(changing.error).fields, changing.originalArgs?.organisationChange, body) : {};
  const kinds = [...new Set([...(catalogue.data?.items.map((one) => one.kind) ?? []), ...evaluators])];
  return (
    <form
      noValidate
      className="card flex flex-col gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (changing.isLoading) return;
        void change({ organisationChange: body }).then((answer) => answer.error === undefined && toast("Saved", "good"));
      }}
    >
      <fieldset disabled={!mayChange} className="grid gap-4 sm:grid-cols-2">
        <legend className="sr-only">Settings</legend>
        <TextField label="Name" required value={name} error={errorAt(errors, "name")} onChange={setName} />
        <TextField label="E-mail address for bills" type="email" value={email} error={errorAt(errors, "billing_email")} onChange={setEmail} />
        <TextField
          label="Budget per month in US dollars"
          inputMode="decimal"
          hint="If empty: no limit. At 80% everybody is warned. At 100% running runs pause, and no run starts. Calls of unknown cost count as 0."
          value={budget}
          error={errorAt(errors, "settings.cost_budget_monthly_usd")}
          onChange={setBudget}
        />
        <TextField
          label="Remove finished runs after days"
          inputMode="numeric"
          hint="If empty: runs stay, unless the operator sets an age. Baselines and runs that have one are kept."
          value={days}
          error={errorAt(errors, "settings.data_retention_days")}
          onChange={setDays}
        />
        <MultiSelect label="Default evaluators" hint="For runs and evaluations that name none." choices={kinds.map((kind) => ({ value: kind, label: harmless(kind) }))} selected={evaluators} onChange={setEvaluators} disabled={!mayChange} />
      </fieldset>
      {changing.error !== undefined && <ProblemNote error={changing.error} />}
      {mayChange ? <Button kind="primary" type="submit" className="self-start" disabled={changing.isLoading}>Save</Button> : <p className="text-ink-2">Only an owner changes these.</p>}
    </form>
  );
}

function Closing({ organisation }: { organisation: OrganisationOut }) {
  const leave = use(Leave);
  const [isAsked, setAsked] = useState(false);
  const [close, closing] = useCloseOrganisationMutation();
  const confirm = async () => {
    const answer = await close({ slug: organisation.slug });
    if (answer.error === undefined) leave(HOME);
  };
  return (
    <section aria-label="Close the organisation" className="card flex flex-wrap items-center justify-between gap-3 p-4">
      <p className="max-w-prose text-ink-2">Close the organisation when nobody needs it any more. Its data stays until the operator of the platform erases it.</p>
      <Button kind="danger" onClick={() => { closing.reset(); setAsked(true); }}>Close the organisation…</Button>
      <ConfirmDialog
        open={isAsked} title="Close this organisation?" name={organisation.name} action="Close it" word="close"
        busy={closing.isLoading} error={closing.error} onClose={() => setAsked(false)} onConfirm={() => void confirm()}
      >
        Nobody gets in any more, API keys and links stop working, and runs end with their next answer. Only the operator of the platform can reopen it.
      </ConfirmDialog>
    </section>
  );
}
