import { useMemo, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useAssignTasksMutation, useGetCollectionQuery } from "@/api/collections";
import { useListCategoriesQuery } from "@/api/tasks";
import type { AssignTasks, CollectionOut } from "@/api/generated/config-api";
import { ButtonLink } from "@/components/Button";
import { CreatedBy } from "@/components/CreatedBy";
import { Message, Skeleton } from "@/components/Message";
import { Menu } from "@/components/Menu";
import { PageHead } from "@/components/PageHead";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { toast } from "@/components/Toast";
import { formatCount, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { CollectionDialog } from "./CollectionDialog";
import { tasksUrl } from "./CollectionsTable";
import { DeleteCollection } from "./DeleteCollection";
import { PublishCollection } from "./PublishCollection";
import { TaskPicker } from "./TaskPicker";

export default function CollectionPage() {
  const { collectionId = "" } = useParams();
  const { currentData, error, isError, refetch } = useGetCollectionQuery({ id: collectionId }, { refetchOnMountOrArgChange: true });
  return (
    <div className="mx-auto flex w-full max-w-screen-2xl flex-col gap-4 px-4 py-5 sm:px-6">
      {!currentData && <h1 className="sr-only">Collection</h1>}
      {currentData ? (
        <Loaded key={currentData.id} collection={currentData} />
      ) : isError && [404, 422].includes(toProblem(error).status ?? 0) ? (
        <Message icon="ring" title="There is no such collection">
          <p>
            It may have been deleted, or the link is incomplete. <Link to="/collections" className="font-medium text-accent underline underline-offset-2">All collections</Link> are in the list.
          </p>
        </Message>
      ) : isError ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </div>
  );
}

function Loaded({ collection }: { collection: CollectionOut }) {
  const { id, task_count: count } = collection;
  const name = harmless(collection.name);
  useTitle(name);
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"edit" | "publish" | "delete" | null>(null);
  const [assign, assigning] = useAssignTasksMutation();
  const categories = useListCategoriesQuery();
  const inside = useMemo(() => ({ collectionId: id }), [id]);
  const outside = useMemo(() => ({ notInCollection: id }), [id]);
  const total = categories.data?.items.reduce((sum, one) => sum + one.task_count, 0);

  const change = async (assignTasks: AssignTasks): Promise<boolean> => {
    const answer = await assign({ id, assignTasks });
    if (!answer.data) return false;
    const difference = answer.data.task_count - count;
    toast(`${plural(Math.abs(difference), "task")} ${difference < 0 ? "removed" : "added"}: ${collection.name} now has ${formatCount(answer.data.task_count)}.`);
    return true;
  };

  return (
    <>
      <PageHead
        title={name}
        parent={{ to: "/collections", label: "All collections" }}
        note={<>{plural(count, "task")} <CreatedBy id={collection.created_by} /></>}
        actions={
          <>
            {count > 0 && (
              <>
                <ButtonLink right="runs:create" to={`/runs/new?collection=${id}`} icon="play">Run models on it</ButtonLink>
                <ButtonLink right="tasks:read" to={tasksUrl(collection)} icon="search">Show in the list of tasks</ButtonLink>
              </>
            )}
            <Menu
              label={`More about ${name}`}
              icon="more"
              iconOnly
              entries={[
                { label: "Rename…", icon: "pencil", right: "collections:update", onSelect: () => setAsked("edit") },
                {
                  label: "Publish as dataset version…",
                  icon: "up",
                  right: "collections:create",
                  disabled: count === 0,
                  onSelect: () => setAsked("publish"),
                  ...(count === 0 && { detail: "Add tasks to it first." }),
                },
                { label: "Delete…", icon: "trash", danger: true, right: "collections:delete", onSelect: () => setAsked("delete") },
              ]}
            />
          </>
        }
      />
      {collection.description && <PlainText text={collection.description} className="max-w-3xl text-ink-2" />}
      {assigning.error && <ProblemNote error={assigning.error} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <TaskPicker
          title="In this collection"
          numbered
          count={count}
          base={inside}
          verb="Remove"
          icon="cross"
          after={(chosen) => count - chosen}
          empty="No tasks yet. Choose tasks in the other list and add them."
          onAct={(unassign) => change({ unassign })}
        />
        <TaskPicker
          title="Not in it"
          count={total === undefined ? undefined : total - count}
          base={outside}
          verb="Add"
          icon="plus"
          after={(chosen) => count + chosen}
          empty={total === 0 ? <NoTasks id={collection.id} /> : "Every task is in this collection."}
          onAct={(ids) => change({ assign: ids })}
        />
      </div>
      {asked === "edit" && <CollectionDialog collection={collection} onClose={() => setAsked(null)} />}
      {asked === "publish" && <PublishCollection collection={collection} onClose={() => setAsked(null)} />}
      {asked === "delete" && <DeleteCollection collection={collection} onClose={() => setAsked(null)} onDeleted={() => void navigate("/collections")} />}
    </>
  );
}

function NoTasks({ id }: { id: string }) {
  return (
    <>
      <p className="mb-3">There are no tasks yet.</p>
      <ButtonLink right="tasks:create" to={`/import?collection=${id}`} icon="up">Import a file of tasks</ButtonLink>
    </>
  );
}
