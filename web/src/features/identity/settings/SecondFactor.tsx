import { useState } from "react";
import { useBeginSecondFactorMutation, useConfirmSecondFactorMutation, useGetSecondFactorQuery, useRemoveSecondFactorMutation, useRenewRecoveryCodesMutation } from "@/api/identity";
import type { SecondFactorBegun, SecondFactorOut } from "@/api/generated/identity";
import { readSession } from "@/api/session";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { plural } from "@/lib/format";
import { toProblem } from "@/lib/problem";
import { Awaited, SecretOnce } from "./Page";

/** Set up or remove the second factor: codes of an app. */
export function SecondFactor() {
  const query = useGetSecondFactorQuery(undefined, { refetchOnMountOrArgChange: true });
  const [codes, setCodes] = useState<string[] | null>(null);
  const [begun, setBegun] = useState<SecondFactorBegun | null>(null);
  const done = (recovery: string[]) => {
    setBegun(null);
    setCodes(recovery);
    void readSession();
  };
  return (
    <Section title="Second factor" aside={query.data?.enabled && <span className="text-xs text-ink-2">In use</span>}>
      <div className="flex flex-col gap-4 px-4 py-3">
        {!query.data ? <Awaited query={query} label="second factor" /> : query.data.enabled ? <Enabled factor={query.data} onRenewed={setCodes} /> : begun ? <Confirm begun={begun} onDone={done} /> : <Begin required={query.data.required} onBegun={setBegun} />}
      </div>
      {codes && (
        <SecretOnce
          title="Keep these recovery codes"
          note="Each works once in place of a code of your app. They are the way back if you lose the device, and are not shown again."
          secret={codes.join("\n")}
          onClose={() => setCodes(null)}
        />
      )}
    </Section>
  );
}

function Begin({ required, onBegun }: { required: boolean; onBegun: (begun: SecondFactorBegun) => void }) {
  const [password, setPassword] = useState("");
  const [isTried, setTried] = useState(false);
  const [begin, beginning] = useBeginSecondFactorMutation();
  const errors = beginning.error ? stillTrue(toProblem(beginning.error).fields, beginning.originalArgs?.beginSecondFactor, { password }) : {};
  const submit = async () => {
    setTried(true);
    if (password === "" || beginning.isLoading) return;
    const answer = await begin({ beginSecondFactor: { password } });
    if (answer.data) onBegun(answer.data);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="text-ink-2">{required ? "Your organisation asks everybody for one. " : ""}An app on your telephone shows a code, which each sign-in asks for after the password.</p>
      <TextField label="Your password" required type="password" autoComplete="current-password" value={password} error={isTried && password === "" ? "Enter your password." : errorAt(errors, "password")} onChange={setPassword} />
      {beginning.error !== undefined && <ProblemNote error={beginning.error} />}
      <Button kind="primary" type="submit" className="self-start" disabled={beginning.isLoading}>Set it up</Button>
    </form>
  );
}

function Confirm({ begun, onDone }: { begun: SecondFactorBegun; onDone: (codes: string[]) => void }) {
  const [code, setCode] = useState("");
  const [isTried, setTried] = useState(false);
  const [confirm, confirming] = useConfirmSecondFactorMutation();
  const errors = confirming.error ? stillTrue(toProblem(confirming.error).fields, confirming.originalArgs?.confirmSecondFactor, { code }) : {};
  const submit = async () => {
    setTried(true);
    if (code.trim() === "" || confirming.isLoading) return;
    const answer = await confirm({ confirmSecondFactor: { code } });
    if (answer.data) onDone(answer.data.codes);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="text-ink-2">Scan the picture with your app, or type the secret into it. Then enter the code that it shows.</p>
      <img src={begun.picture} alt="QR code of the secret below" className="size-44 self-start rounded-md border border-line bg-white" />
      <div className="flex flex-wrap items-center gap-2">
        <code className="rounded-md bg-sunken px-2 py-1 font-mono text-xs wrap-anywhere">{begun.secret}</code>
        <CopyButton iconOnly label="Copy the secret" text={() => begun.secret} />
      </div>
      <TextField label="Code" required inputMode="numeric" autoComplete="one-time-code" maxLength={10} value={code} error={isTried && code.trim() === "" ? "Enter the code." : errorAt(errors, "code")} onChange={setCode} />
      {confirming.error !== undefined && <ProblemNote error={confirming.error} />}
      <Button kind="primary" type="submit" className="self-start" disabled={confirming.isLoading}>Put it into use</Button>
    </form>
  );
}

function Enabled({ factor, onRenewed }: { factor: SecondFactorOut; onRenewed: (codes: string[]) => void }) {
  const [isRemoving, setRemoving] = useState(false);
  const [isRenewing, setRenewing] = useState(false);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isTried, setTried] = useState(false);
  const [remove, removing] = useRemoveSecondFactorMutation();
  const body = { password, code };
  const errors = removing.error ? stillTrue(toProblem(removing.error).fields, removing.originalArgs?.removeSecondFactor, body) : {};
  const submit = async () => {
    setTried(true);
    if (password === "" || code.trim() === "" || removing.isLoading) return;
    const answer = await remove({ removeSecondFactor: body });
    if (answer.error) return;
    toast("The second factor is removed.");
    void readSession();
  };
  return (
    <>
      <p className="text-ink-2">Each sign-in asks for a code of your app. {plural(factor.recovery_codes, "recovery code")} left.{factor.recovery_codes < 3 && " Renew them before you run out."}</p>
      {isRenewing ? (
        <Renew
          onDone={(codes) => {
            setRenewing(false);
            if (codes) onRenewed(codes);
          }}
        />
      ) : isRemoving ? (
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <TextField label="Your password" required type="password" autoComplete="current-password" value={password} error={isTried && password === "" ? "Enter your password." : errorAt(errors, "password")} onChange={setPassword} />
          <TextField label="Code" required autoComplete="one-time-code" hint="A code of your app, or a recovery code." value={code} error={isTried && code.trim() === "" ? "Enter the code." : errorAt(errors, "code")} onChange={setCode} />
          {removing.error !== undefined && <ProblemNote error={removing.error} />}
          <div className="flex gap-2">
            <Button kind="danger" type="submit" disabled={removing.isLoading}>Remove it</Button>
            <Button onClick={() => setRemoving(false)}>Keep it</Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setRenewing(true)}>Renew the recovery codes</Button>
          <Button onClick={() => setRemoving(true)}>Remove the second factor</Button>
        </div>
      )}
    </>
  );
}

/** Make new recovery codes, given the password or, without one at hand, a code of the app. */
function Renew({ onDone }: { onDone: (codes: string[] | null) => void }) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isTried, setTried] = useState(false);
  const [renew, renewing] = useRenewRecoveryCodesMutation();
  const isEmpty = password === "" && code.trim() === "";
  const errors = renewing.error ? stillTrue(toProblem(renewing.error).fields, renewing.originalArgs?.renewRecoveryCodes, code.trim() ? { code } : { password }) : {};
  const submit = async () => {
    setTried(true);
    if (isEmpty || renewing.isLoading) return;
    const answer = await renew({ renewRecoveryCodes: code.trim() ? { code } : { password } });
    if (answer.data) onDone(answer.data.codes);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="text-ink-2">The present recovery codes stop working. Enter your password, or a code of your app.</p>
      <TextField label="Your password" type="password" autoComplete="current-password" value={password} error={isTried && isEmpty ? "Enter your password, or a code of your app." : errorAt(errors, "password")} onChange={setPassword} />
      <TextField label="Code of your app" inputMode="numeric" autoComplete="one-time-code" maxLength={10} value={code} error={errorAt(errors, "code")} onChange={setCode} />
      {renewing.error !== undefined && <ProblemNote error={renewing.error} />}
      <div className="flex gap-2">
        <Button kind="primary" type="submit" disabled={renewing.isLoading}>Renew them</Button>
        <Button onClick={() => onDone(null)}>Keep the present ones</Button>
      </div>
    </form>
  );
}
