/** The buttons that lead to the issuers at which people sign in. Without issuers it renders nothing. */

import { use } from "react";
import { useBeginSignInMutation, useListIssuersQuery } from "@/api/identity";
import { Button } from "@/components/Button";
import { ProblemNote } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { Leave } from "../leave";

interface Props {
  next: string;
  /** The token of an invitation, to accept it with the account at the issuer. */
  invitation?: string;
}

export function Issuers({ next, invitation }: Props) {
  const leave = use(Leave);
  const issuers = useListIssuersQuery().data?.items ?? [];
  const [begin, beginning] = useBeginSignInMutation();
  if (issuers.length === 0) return null;
  const go = async (name: string) => {
    const answer = await begin({ name, beginSignIn: invitation === undefined ? { next } : { next, invitation } });
    if (answer.data) leave(answer.data.location);
  };
  return (
    <div className="flex flex-col gap-3">
      {issuers.map((one) => (
        <Button key={one.name} className="w-full" disabled={beginning.isLoading} onClick={() => void go(one.name)}>
          <span className="truncate">{invitation === undefined ? "Sign in" : "Join"} with {harmless(one.title)}</span>
        </Button>
      ))}
      {beginning.error !== undefined && <ProblemNote error={beginning.error} />}
      <p className="flex items-center gap-3 text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">or with a password</p>
    </div>
  );
}
