import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { DOCUMENTS_PER_PAGE, MOST_DOCUMENT_BYTES, useListDocumentsQuery, useSendDocumentMutation } from "@/api/documents";
import type { DocumentOut } from "@/api/generated/config-api";
import { Allowed } from "@/components/Allowed";
import { Button, IconButton } from "@/components/Button";
import { TextField } from "@/components/Field";
import { FileDrop } from "@/components/FileDrop";
import { Message, Skeleton } from "@/components/Message";
import { Moment } from "@/components/Moment";
import { PageHead } from "@/components/PageHead";
import { Pager } from "@/components/Pager";
import { ErrorMessage, ProblemNote } from "@/components/Problem";
import { SearchField } from "@/components/SearchField";
import { toast } from "@/components/Toast";
import { errorAt, stillTrue } from "@/lib/form-errors";
import { formatBytes, formatCount, plural } from "@/lib/format";
import { usePagedView } from "@/lib/paged-view";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { DeleteDocument } from "./DeleteDocument";

/** Texts from which models write questions. */
export default function DocumentsPage() {
  useTitle("Documents");
  const view = usePagedView();
  const [gone, setGone] = useState<DocumentOut | null>(null);
  const query = useListDocumentsQuery(
    { limit: DOCUMENTS_PER_PAGE, offset: (view.page - 1) * DOCUMENTS_PER_PAGE, q: view.text("q") || null },
    { refetchOnMountOrArgChange: true },
  );
  const { data } = query;
  const isEmpty = data?.total === 0 && view.text("q") === "";
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      <PageHead title="Documents" note={data && data.total > 0 && plural(data.total, "document")} />
      <p className="max-w-3xl text-ink-2">A model writes questions with answers from a document, and quotes the passage behind each. Questions whose passages occur in the document become the draft of a dataset.</p>
      <Allowed right="documents:create"><AddDocument /></Allowed>
      {!isEmpty && <SearchField label="Search by name" value={view.text("q")} onSearch={(text) => view.filter("q", text)} className="sm:max-w-72" />}
      {data && query.isError && <ProblemNote error={query.error} />}
      <div className={`card overflow-hidden ${query.isFetching && data ? "opacity-70" : ""}`}>
        {data ? (
          data.documents.length > 0 ? (
            <ul aria-label="Documents" className="divide-y divide-line">
              {data.documents.map((one) => <Line key={one.document_id} document={one} onDelete={() => setGone(one)} />)}
            </ul>
          ) : (
            <Message icon="search" title={isEmpty ? "No documents yet" : "No document matches"}>
              <p>{isEmpty ? "Choose a PDF, a Markdown file or a text above." : data.total > 0 ? "There is nothing on this page." : "The search hides the other documents."}</p>
              {!isEmpty && <Button className="mt-4" onClick={() => view.clear("q")}>Show all documents</Button>}
            </Message>
          )
        ) : query.isError ? (
          <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div role="status" aria-label="Loading documents" className="flex h-28 items-center px-4"><Skeleton className="h-4 w-1/3" /></div>
        )}
        {data && <Pager label="Pages of documents" page={view.page} perPage={DOCUMENTS_PER_PAGE} total={data.total} onPage={view.toPage} />}
      </div>
      {gone && <DeleteDocument document={gone} onClose={() => setGone(null)} />}
    </div>
  );
}

function Line({ document: one, onDelete }: { document: DocumentOut; onDelete: () => void }) {
  return (
    <li className="flex items-start gap-3 py-2.5 pr-2 pl-4 hover:bg-hover">
      <div className="min-w-0 flex-1">
        <Link to={`/documents/${one.document_id}`} className="font-medium wrap-anywhere hover:text-accent">{harmless(one.name)}</Link>
        <p className="text-xs text-ink-2">
          {plural(one.page_count, "page")}, {formatCount(one.character_count)} characters, {formatBytes(one.file_bytes)} · <Moment at={one.created_at} />
          {one.empty_page_count > 0 && <span className="text-warn"> · {plural(one.empty_page_count, "page")} without text</span>}
        </p>
      </div>
      <IconButton icon="trash" right="documents:delete" label={`Delete ${harmless(one.name)}`} onClick={onDelete} />
    </li>
  );
}

function AddDocument() {
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [send, sending] = useSendDocumentMutation();
  const isTooLarge = file !== null && file.size > MOST_DOCUMENT_BYTES;
  const errors = sending.error ? stillTrue(toProblem(sending.error).fields, sending.originalArgs, { file, name }) : {};
  const submit = async () => {
    if (!file || isTooLarge || sending.isLoading) return;
    const answer = await send({ file, name });
    if (!answer.data) return;
    toast(`${harmless(answer.data.name)} is read: ${plural(answer.data.page_count, "page")}.`);
    void navigate(`/documents/${answer.data.document_id}`);
  };
  const choose = (chosen: File) => {
    sending.reset();
    setFile(chosen);
    setName(chosen.name);
  };
  return (
    <FileDrop
      label="Document"
      invitation="Drop a document here, or choose one"
      hint="PDF, Markdown or text; at most 50 MiB and 2,000 pages. A scanned document needs text recognition first."
      accept=".pdf,.md,.markdown,.txt"
      file={file && { name: file.name, bytes: file.size }}
      onFile={choose}
    >
      {file && (
        <form
          className="card flex flex-col gap-3 p-4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <div className="flex flex-wrap items-start gap-3">
            <TextField label="Name" className="flex-1 basis-64" maxLength={255} value={name} error={errorAt(errors, "name")} onChange={setName} />
            <Button kind="primary" icon="up" type="submit" className="max-sm:w-full sm:mt-5" disabled={sending.isLoading || isTooLarge}>
              {sending.isLoading ? "Reading it…" : "Add the document"}
            </Button>
          </div>
          {isTooLarge && <p role="alert" className="text-bad">It has {formatBytes(file.size)}, and a document has at most 50 MiB. Add it in parts.</p>}
          {sending.error !== undefined && <ProblemNote error={sending.error} />}
        </form>
      )}
    </FileDrop>
  );
}
