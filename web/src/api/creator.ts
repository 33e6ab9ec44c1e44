/** The name of the person who created something. */

import { harmless } from "@/lib/plain-text";
import { useMay } from "@/lib/rights";
import { useListMembersQuery, useListServiceAccountsQuery } from "./identity";

const MOST = 200;
/** Shown in place of the name of a person who left the organisation. */
export const GONE = "Not a member any more";

/** Return the fact to show, or none without sign-in, or for a role that does not see the list of members. */
export function useCreator(id: string | null | undefined): [string, string][] {
  const mayMembers = useMay("members:read");
  const mayAccounts = useMay("service-accounts:read");
  const members = useListMembersQuery({ limit: MOST }, { skip: !id || !mayMembers });
  const found = members.data?.items.find((one) => one.id === id);
  const accounts = useListServiceAccountsQuery({ limit: MOST }, { skip: !id || !mayAccounts || !members.data || found !== undefined });
  if (!id || !mayMembers || !members.data || accounts.isFetching) return [];
  const creator = found ?? accounts.data?.items.find((one) => one.id === id);
  if (creator) return [["Created by", harmless(creator.name)]];
  // A list that has further pages cannot show that a person left.
  return members.data.next_cursor || accounts.data?.next_cursor ? [] : [["Created by", GONE]];
}
