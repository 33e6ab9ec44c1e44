import type { ItemDetail } from "@/api/generated/orchestrator";

/** Return the sent question with its choices, else the question of the case. */
export function promptOf({ case: { question }, request }: Pick<ItemDetail, "case" | "request">): string {
  const messages: unknown = (request?.body as { messages?: unknown } | undefined)?.messages;
  const sent: unknown = Array.isArray(messages) ? (messages.at(-1) as { content?: unknown } | undefined)?.content : null;
  const start = typeof sent === "string" && question ? sent.lastIndexOf(question) : -1;
  return typeof sent === "string" && start >= 0 ? sent.slice(start) : question;
}
