/** The reasons for which a sign-in through an issuer was refused, as the address names them. */
const REASONS: Readonly<Record<string, string>> = {
  attempt: "This sign-in was used already, took too long, or began in another window. Try again.",
  denied: "The sign-in was declined there.",
  unavailable: "The sign-in service does not answer. Try again in a moment.",
  issuer: "The answer of the sign-in service could not be verified. Tell an admin: the log of the identity service says what is wrong.",
  email: "The sign-in service does not confirm an e-mail address for you.",
  "account-exists": "Your e-mail address has an account here already. Sign in with its password, then link the other one under Linked accounts. An invitation can be accepted with that password.",
  "not-allowed": "You are not a member here. Ask an admin for an invitation.",
  invitation: "This invitation was used already, or it has expired. Ask for a new link.",
  member: "You are a member of that organisation already. Sign in.",
  full: "The organisation has no free place. An admin has to remove a member, or needs another plan.",
  session: "You signed out meanwhile. Sign in, then link it again.",
  taken: "That identity belongs to another account.",
};

/** Return the sentence for the reason in an address; null without one. */
export function refusalIn(search: URLSearchParams): string | null {
  const reason = search.get("refused");
  return reason === null ? null : (REASONS[reason] ?? "The sign-in failed. Try again.");
}
