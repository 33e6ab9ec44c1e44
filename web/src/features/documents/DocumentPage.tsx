import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useCreator } from "@/api/creator";
import { PAGES_PER_PAGE, useGetDocumentQuery, useListDocumentPagesQuery } from "@/api/documents";
import type { DocumentOut } from "@/api/generated/config-api";
import { Allowed } from "@/components/Allowed";
import { Button } from "@/components/Button";
import { type Fact, FactStrip } from "@/components/FactStrip";
import { Message, Skeleton } from "@/components/Message";
import { PageHead } from "@/components/PageHead";
import { Pager } from "@/components/Pager";
import { PlainText } from "@/components/PlainText";
import { ErrorMessage } from "@/components/Problem";
import { Section } from "@/components/Section";
import { formatBytes, formatCount, formatDate, plural } from "@/lib/format";
import { usePagedView } from "@/lib/paged-view";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { useTitle } from "@/lib/use-title";
import { DeleteDocument } from "./DeleteDocument";
import { WriteQuestions } from "./WriteQuestions";

export default function DocumentPage() {
  const { documentId = "" } = useParams();
  const { currentData, error, isError, refetch } = useGetDocumentQuery({ documentId });
  return (
    <div className="mx-auto flex w-full max-w-screen-xl flex-col gap-4 px-4 py-5 sm:px-6">
      {currentData ? (
        <Loaded key={currentData.document_id} document={currentData} />
      ) : (
        <>
          <h1 className="sr-only">The document</h1>
          {!isError ? (
            <div role="status" aria-label="Loading the document"><Skeleton className="h-96" /></div>
          ) : [404, 422].includes(toProblem(error).status ?? 0) ? (
            <Message icon="ring" title="There is no such document">
              <p>It may have been deleted, or the link is incomplete. <Link to="/documents" className="font-medium text-accent underline underline-offset-2">All documents</Link> are in the list.</p>
            </Message>
          ) : (
            <ErrorMessage error={error} onRetry={() => void refetch()} />
          )}
        </>
      )}
    </div>
  );
}

function Loaded({ document }: { document: DocumentOut }) {
  useTitle(document.name);
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  const creator = useCreator(document.created_by);
  const facts: Fact[] = [
    ["Pages", formatCount(document.page_count), document.empty_page_count > 0 ? `${formatCount(document.empty_page_count)} of them without text` : undefined],
    ["Characters", formatCount(document.character_count)],
    ["File", harmless(document.file_name), formatBytes(document.file_bytes)],
    ["Added", formatDate(document.created_at)],
    ...creator,
  ];
  return (
    <>
      <PageHead
        title={harmless(document.name)}
        parent={{ to: "/documents", label: "Documents" }}
        actions={<Button kind="danger" icon="trash" right="documents:delete" onClick={() => setLeaving(true)}>Delete</Button>}
      />
      <FactStrip label="About this document" facts={facts} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0 max-lg:order-2"><Pages document={document} /></div>
        <Allowed right="runs:create"><WriteQuestions document={document} /></Allowed>
      </div>
      {isLeaving && <DeleteDocument document={document} onClose={() => setLeaving(false)} onDeleted={() => void navigate("/documents")} />}
    </>
  );
}

/** Each page as it was read: columns and tables may have come out in an odd order. */
function Pages({ document }: { document: DocumentOut }) {
  const view = usePagedView();
  const query = useListDocumentPagesQuery({ documentId: document.document_id, limit: PAGES_PER_PAGE, offset: (view.page - 1) * PAGES_PER_PAGE });
  const { currentData, error, isError, refetch } = query;
  return (
    <Section title="Extracted text" aside={<p className="text-xs text-ink-2">{plural(document.page_count, "page")}</p>}>
      {currentData ? (
        <ol aria-label="Pages" className="divide-y divide-line">
          {currentData.pages.map((one) => (
            <li key={one.number} className="px-4 py-3">
              <h3 className="text-xs text-ink-3">Page {formatCount(one.number)}</h3>
              {one.text.trim() === "" ? <p className="mt-1 text-ink-2">No text: this page is a picture or a scan.</p> : <PlainText text={one.text} maxLines={14} className="mt-1" />}
            </li>
          ))}
        </ol>
      ) : isError ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Loading pages" className="p-4"><Skeleton className="h-64" /></div>
      )}
      <Pager label="Pages of the document" page={view.page} perPage={PAGES_PER_PAGE} total={document.page_count} onPage={view.toPage} />
    </Section>
  );
}
