import { useNavigate } from "react-router";
import type { SuiteOut } from "@/api/generated/config-api";
import { useCreateSuiteVersionMutation, useListSuiteVersionsQuery } from "@/api/suites";
import { Button, ButtonLink } from "@/components/Button";
import { toast } from "@/components/Toast";
import { toProblem } from "@/lib/problem";

/** Make the next version of a published suite, or lead to its draft if there is one already. */
export function NewVersion({ suite }: { suite: SuiteOut }) {
  const navigate = useNavigate();
  const versions = useListSuiteVersionsQuery({ id: suite.id }).data?.items ?? [];
  const [create, creating] = useCreateSuiteVersionMutation();
  const draft = versions.find((one) => one.status === "DRAFT");
  if (draft) return <ButtonLink icon="pencil" right="suites:update" to={`/suites/${draft.id}/edit`}>{`Edit version ${draft.version_number}`}</ButtonLink>;
  const make = async () => {
    const answer = await create({ id: suite.id });
    if (answer.data) void navigate(`/suites/${answer.data.id}/edit`);
    else toast(toProblem(answer.error).detail, "bad");
  };
  return <Button icon="pencil" right="suites:create" disabled={creating.isLoading} onClick={() => void make()}>{creating.isLoading ? "Working…" : "New version"}</Button>;
}
