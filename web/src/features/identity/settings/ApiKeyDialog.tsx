import { useState } from "react";
import { useCreateApiKeyMutation, useListServiceAccountsQuery } from "@/api/identity";
import type { ApiKeyIn, SessionOut } from "@/api/generated/identity";
import { may } from "@/api/session";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField, FieldError, SelectField, TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { errorAt, errorsUnder, stillTrue } from "@/lib/form-errors";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { SecretOnce } from "./Page";

/** Return the end of the chosen day where the browser is, as the API takes it. */
const endOf = (day: string) => (day === "" ? null : new Date(`${day}T23:59:59`).toISOString());

export function ApiKeyDialog({ session, onClose }: { session: SessionOut; onClose: () => void }) {
  const [name, setName] = useState("");
  const [day, setDay] = useState("");
  const [isNarrow, setNarrow] = useState(false);
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [holder, setHolder] = useState("");
  const accounts = useListServiceAccountsQuery({ limit: 500 }, { skip: !may(session, "service-accounts:read") });
  const holders = [{ value: "", label: "Me" }, ...(accounts.data?.items ?? []).map(({ id, name: label, role }) => ({ value: id, label: `${harmless(label)} (${role})` }))];
  const [isTried, setTried] = useState(false);
  const [create, creating] = useCreateApiKeyMutation();
  const body: ApiKeyIn = { name: name.trim(), scopes: isNarrow ? [...scopes] : null, expires_at: endOf(day), service_account_id: holder || null };
  const errors = creating.error ? stillTrue(toProblem(creating.error).fields, creating.originalArgs?.apiKeyIn, body) : {};
  const lacksScopes = isNarrow && scopes.length === 0;
  const scopeError = isTried && lacksScopes ? "Choose at least one." : errorsUnder(errors, "scopes")[0];
  if (creating.data) {
    return <SecretOnce title="Copy the key now" note="It is not shown again: only its hash is stored." secret={creating.data.key} onClose={onClose} />;
  }
  return (
    <FormDialog open onClose={onClose} title="New API key">
      <form
        noValidate
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (body.name !== "" && !lacksScopes && !creating.isLoading) void create({ apiKeyIn: body });
        }}
      >
        <TextField label="Name" required maxLength={255} hint="The program that will use it." value={name} error={isTried && body.name === "" ? "Enter a name." : errorAt(errors, "name")} onChange={setName} data-autofocus />
        {holders.length > 1 && <SelectField label="Acts for" hint="A key of a service account goes on when a person leaves." value={holder} options={holders} error={errorAt(errors, "service_account_id")} onChange={setHolder} />}
        <TextField label="Expires after" type="date" hint="If empty: it does not expire." value={day} error={errorAt(errors, "expires_at")} onChange={setDay} />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-xs font-medium text-ink-2">Rights</legend>
          <CheckField label="Only some of my rights" checked={isNarrow} onChange={setNarrow} />
          {isNarrow && (
            <div className="grid max-h-40 gap-1 overflow-y-auto rounded-md border border-line p-2 sm:grid-cols-2">
              {(session.allowed ?? []).map((one) => (
                <CheckField key={one} label={one} checked={scopes.includes(one)} onChange={(on) => setScopes(on ? [...scopes, one] : scopes.filter((other) => other !== one))} />
              ))}
            </div>
          )}
          {scopeError !== undefined && <FieldError>{scopeError}</FieldError>}
        </fieldset>
        {creating.error !== undefined && <ProblemNote error={creating.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={creating.isLoading}>Make the key</Button>
        </div>
      </form>
    </FormDialog>
  );
}
