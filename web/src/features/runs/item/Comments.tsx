import { useId, useState } from "react";
import { useAddCommentMutation, useDeleteCommentMutation, useListCommentsQuery } from "@/api/comments";
import { useCreator } from "@/api/creator";
import type { CommentOut } from "@/api/generated/orchestrator";
import { Allowed } from "@/components/Allowed";
import { Button } from "@/components/Button";
import { TextAreaField, TextField } from "@/components/Field";
import { Moment } from "@/components/Moment";
import { PlainText } from "@/components/PlainText";
import { ProblemNote } from "@/components/Problem";
import { errorAt } from "@/lib/form-errors";
import { useOwnName } from "@/lib/own-name";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";

interface Props {
  runId: string;
  itemId: string;
  label?: string;
}

const MOST_CHARACTERS = 4000;

/** The comments of people on an item, and the form that adds one. */
export default function Comments({ runId, itemId, label = "Comments" }: Props) {
  const heading = useId();
  const { currentData: comments, error, isError } = useListCommentsQuery({ runId, itemId });
  if (isError) return <ProblemNote error={error} />;
  if (!comments) return null;
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3 text-sm">
      <h3 id={heading} className="font-semibold">{label}</h3>
      {comments.items.length > 0 && (
        <ul className="flex flex-col gap-2">
          {comments.items.map((one) => <li key={one.id} className="rounded-md border border-line px-3 py-2"><Comment runId={runId} itemId={itemId} comment={one} /></li>)}
        </ul>
      )}
      <Allowed right="runs:update"><CommentForm runId={runId} itemId={itemId} /></Allowed>
    </section>
  );
}

function Comment({ runId, itemId, comment }: { runId: string; itemId: string; comment: CommentOut }) {
  const [creator] = useCreator(comment.created_by);
  const [remove, sending] = useDeleteCommentMutation();
  const who = comment.given_name ? harmless(comment.given_name) : (creator?.[1] ?? "Somebody");
  return (
    <>
      <div className="flex items-center justify-between gap-3 text-xs text-ink-2">
        <p className="min-w-0 wrap-anywhere"><bdi className="font-medium text-ink">{who}</bdi>, <Moment at={comment.created_at} /></p>
        {comment.own && (
          <Button kind="ghost" icon="trash" right="runs:update" disabled={sending.isLoading} onClick={() => void remove({ runId, itemId, commentId: comment.id })}>
            Delete<span className="sr-only"> the comment of {who}</span>
          </Button>
        )}
      </div>
      <PlainText text={comment.text} maxLines={20} />
      {sending.error !== undefined && <ProblemNote error={sending.error} />}
    </>
  );
}

function CommentForm({ runId, itemId }: { runId: string; itemId: string }) {
  const who = useOwnName();
  const [text, setText] = useState("");
  const [add, sending] = useAddCommentMutation();
  const fields = toProblem(sending.error).fields;
  const submit = async () => {
    const added = await add({ runId, itemId, newComment: { text: text.trim(), ...(who.given && { by: who.given }) } });
    if (!added.error) setText("");
  };
  return (
    <form
      aria-label="Comment"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextAreaField label="Your comment" maxLength={MOST_CHARACTERS} value={text} onChange={setText} error={errorAt(fields, "text")} />
      {sending.error !== undefined && <ProblemNote error={sending.error} />}
      <div className="flex flex-wrap items-end justify-between gap-2">
        {who.isAsked ? <TextField label="Your name" maxLength={120} value={who.name} onChange={who.keep} error={errorAt(fields, "by")} /> : <span />}
        <Button type="submit" disabled={sending.isLoading || text.trim() === "" || !who.isNamed}>Comment</Button>
      </div>
    </form>
  );
}
