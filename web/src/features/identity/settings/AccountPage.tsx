/** The account of a person: password, second factor and sessions. */

import { useState } from "react";
import { useChangePasswordMutation, useEndOtherSessionsMutation, useEndOwnSessionMutation, useListOwnSessionsQuery } from "@/api/identity";
import type { OwnSessionOut, SessionOut } from "@/api/generated/identity";
import { readSession } from "@/api/session";
import { Button } from "@/components/Button";
import { TextField } from "@/components/Field";
import { PageHead } from "@/components/PageHead";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { formatDate } from "@/lib/format";
import { excerpt, harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { Awaited, ROW, SettingsPage } from "./Page";
import { SecondFactor } from "./SecondFactor";

const LEAST = 10;

export default function AccountPage() {
  return <SettingsPage title="Your account">{(session) => <Account session={session} />}</SettingsPage>;
}

function Account({ session }: { session: SessionOut }) {
  return (
    <>
      <PageHead title="Your account" note={`${harmless(session.person?.name ?? "")} · ${session.person?.email ?? ""}`} />
      {session.sign_in !== "proxy" && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <SecondFactor />
          <Password />
        </div>
      )}
      <Sessions />
    </>
  );
}

function Password() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [isTried, setTried] = useState(false);
  const [change, changing] = useChangePasswordMutation();
  const body = { current, new: next };
  const errors = changing.error ? stillTrue(toProblem(changing.error).fields, changing.originalArgs?.changePassword, body) : {};
  const lacking = next.length < LEAST ? `Use at least ${LEAST} characters.` : undefined;
  const submit = async () => {
    setTried(true);
    if (current === "" || lacking !== undefined || changing.isLoading) return;
    const answer = await change({ changePassword: body });
    if (answer.error) return;
    // The session is another one now, with another CSRF token.
    await readSession();
    toast("The password is changed, and your other sessions have ended.");
    setCurrent("");
    setNext("");
    setTried(false);
  };
  return (
    <Section title="Password">
      <form
        noValidate
        className="flex flex-col gap-4 px-4 py-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField label="Current password" required type="password" autoComplete="current-password" value={current} error={isTried && current === "" ? "Enter the current password." : errorAt(errors, "current")} onChange={setCurrent} />
        <TextField label="New password" required type="password" autoComplete="new-password" hint={`At least ${LEAST} characters. Your other sessions end.`} value={next} error={isTried ? lacking ?? errorAt(errors, "new") : errorAt(errors, "new")} onChange={setNext} />
        {changing.error !== undefined && <ProblemNote error={changing.error} />}
        <Button kind="primary" type="submit" className="self-start" disabled={changing.isLoading}>Change the password</Button>
      </form>
    </Section>
  );
}

function Sessions() {
  const query = useListOwnSessionsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [end, ending] = useEndOwnSessionMutation();
  const [endOthers, endingOthers] = useEndOtherSessionsMutation();
  const busy = ending.isLoading || endingOthers.isLoading;
  const error = ending.error ?? endingOthers.error;
  const others = query.data?.items.some((one) => !one.current);
  return (
    <Section title="Your sessions" aside={others && <Button disabled={busy} onClick={() => void endOthers()}>End all others</Button>}>
      {error !== undefined && <div className="px-4 pt-3"><ProblemNote error={error} /></div>}
      {!query.data ? <Awaited query={query} label="sessions" /> : (
        <ul aria-label="Your sessions" className="divide-y divide-line">
          {query.data.items.map((one) => (
            <li key={one.id} className={ROW}>
              <div className="min-w-0 flex-1 basis-64">
                <p className="font-medium wrap-anywhere">{deviceOf(one)}{one.current && <span className="text-ink-2"> (this one)</span>}</p>
                <p className="text-xs text-ink-2 wrap-anywhere">{one.address ? `from ${harmless(one.address)} · ` : ""}since {formatDate(one.created_at)} · last used {formatDate(one.used_at)}</p>
              </div>
              {!one.current && <Button icon="cross" disabled={busy} aria-label={`End the session of ${deviceOf(one)}`} onClick={() => void end({ id: one.id })}>End</Button>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const deviceOf = ({ device }: OwnSessionOut) => (device ? harmless(excerpt(device, 120, 1).text) : "An unnamed browser");
