import { useState } from "react";
import { useCreatePasswordResetMutation } from "@/api/identity";
import type { MemberOut } from "@/api/generated/identity";
import { Button } from "@/components/Button";
import { FormDialog } from "@/components/Dialog";
import { CheckField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { SecretOnce } from "./Page";

/** Make a link by which a member chooses a new password. */
export function ResetDialog({ member, onClose }: { member: MemberOut; onClose: () => void }) {
  const [isLost, setLost] = useState(false);
  const [create, creating] = useCreatePasswordResetMutation();
  if (creating.data) {
    return <SecretOnce title="Pass this link on" note={`Only to ${harmless(member.name)}: whoever has it can take over the account. It works once, for a day.`} secret={`${location.origin}${creating.data.path}`} onClose={onClose} />;
  }
  return (
    <FormDialog open onClose={onClose} title="Reset a password">
      <form
        noValidate
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!creating.isLoading) void create({ passwordResetIn: { person_id: member.id, second_factor: isLost } });
        }}
      >
        <p className="text-ink-2">{harmless(member.name)} gets a link to choose a new password. The present one works until the link is used; then all sessions of this person end.</p>
        <CheckField label="The second factor is lost, too" hint="It is removed with the password." checked={isLost} onChange={setLost} />
        {creating.error !== undefined && <ProblemNote error={creating.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={creating.isLoading}>Make the link</Button>
        </div>
      </form>
    </FormDialog>
  );
}
