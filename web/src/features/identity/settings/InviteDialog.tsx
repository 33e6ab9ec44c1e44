import { useState } from "react";
import { useCreateInvitationMutation } from "@/api/identity";
import type { Role, SessionOut } from "@/api/generated/identity";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { SelectField, TextField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { toProblem } from "@/lib/problem";
import { SecretOnce } from "./Page";
import { grantable } from "./roles";

const DAYS = ["1", "7", "30"].map((value) => ({ value, label: value === "1" ? "1 day" : `${value} days` }));

export function InviteDialog({ session, onClose }: { session: SessionOut; onClose: () => void }) {
  const [role, setRole] = useState<Role>("member");
  const [email, setEmail] = useState("");
  const [days, setDays] = useState("7");
  const [create, creating] = useCreateInvitationMutation();
  const body = { role, email: email.trim() === "" ? null : email.trim(), expires_in_days: Number(days) };
  const errors = creating.error ? stillTrue(toProblem(creating.error).fields, creating.originalArgs?.invitationIn, body) : {};
  if (creating.data) {
    return <SecretOnce title="Pass this link on" note="It works once, and is not shown again. Nothing is sent by mail." secret={`${location.origin}${creating.data.path}`} onClose={onClose} />;
  }
  return (
    <FormDialog open onClose={onClose} title="Invite somebody">
      <form
        noValidate
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!creating.isLoading) void create({ invitationIn: body });
        }}
      >
        <TextField label="E-mail address" type="email" hint="For your list only; leave it empty if you like." value={email} error={errorAt(errors, "email")} onChange={setEmail} data-autofocus />
        <SelectField label="Role" value={role} options={grantable(session.role)} error={errorAt(errors, "role")} onChange={setRole} />
        <SelectField label="The link works for" value={days} options={DAYS} error={errorAt(errors, "expires_in_days")} onChange={setDays} />
        {creating.error !== undefined && <ProblemNote error={creating.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={creating.isLoading}>Make the link</Button>
        </div>
      </form>
    </FormDialog>
  );
}
