import { useParams } from "react-router";
import { useGetPromptQuery, useListPromptVersionsQuery } from "@/api/prompts";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { ErrorMessage } from "@/components/Problem";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useUrlText } from "@/lib/url-state";
import { useRead } from "@/lib/use-read";
import { useTitle } from "@/lib/use-title";
import { PromptEditor } from "./PromptEditor";

/** `/prompts/new`, and `/prompts/:promptId/edit`, where `?version=<number>` starts from an earlier version. */
export default function PromptEditorPage() {
  const { promptId } = useParams();
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-6 sm:px-6">
      {promptId === undefined ? <NewPrompt /> : <StoredPrompt key={promptId} id={promptId} />}
    </div>
  );
}

function NewPrompt() {
  useTitle("New prompt");
  return <PromptEditor stored={null} from={null} />;
}

function StoredPrompt({ id }: { id: string }) {
  const prompt = useGetPromptQuery({ id }, { refetchOnMountOrArgChange: true });
  const versions = useListPromptVersionsQuery({ id, limit: 500 });
  const [number] = useUrlText("version");
  const isRead = useRead(prompt);
  useTitle(prompt.data ? `New version of ${harmless(prompt.data.name)}` : "Prompt");
  const failed = [prompt, versions].find((one) => one.isError && !one.data);
  if (isRead && prompt.data && versions.data) {
    return <PromptEditor stored={prompt.data} from={versions.data.items.find((one) => String(one.number) === number) ?? prompt.data.newest} />;
  }
  return (
    <>
      <PageHead title="Prompt" parent={{ to: "/prompts", label: "All prompts" }} />
      {!failed ? (
        <Skeleton className="h-96" />
      ) : [404, 422].includes(toProblem(failed.error).status ?? 0) ? (
        <Message icon="ring" title="There is no such prompt">
          <p>It may have been deleted, or the link is incomplete. All prompts are in the list.</p>
        </Message>
      ) : (
        <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />
      )}
    </>
  );
}
