/** The name of the person who created something. */

import { harmless } from "@/lib/plain-text";
import { useMay } from "@/lib/rights";
import { useListMembersQuery, useListServiceAccountsQuery } from "./identity";

const MOST = 200;

/** Return the fact to show, or none without sign-in, or for a role that does not see the list of members. */
export function useCreator(id: string | null | undefined): [string, string][] {
  const mayMembers = useMay("members:read");
  const mayAccounts = useMay("service-accounts:read");
  const members = useListMembersQuery({ limit: MOST }, { skip: !id || !mayMembers });
  const found = members.data?.items.find((one) => one.id === id);
  const accounts = useListServiceAccountsQuery({ limit: MOST }, { skip: !id || !mayAccounts || !members.data || found !== undefined });
  if (!id || !mayMembers || !members.data || accounts.isFetching) return [];
  const creator = found ?? accounts.data?.items.find((one) => one.id === id);
  return [["Created by", creator ? harmless(creator.name) : "Not a member any more"]];
}
