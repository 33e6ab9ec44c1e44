/** People, roles, keys and the audit log as the app uses them: the generated client plus cache tags. */

import { identityApi as generated } from "./generated/identity";

const lists = (tag: "MemberList" | "InvitationList" | "ApiKeyList" | "LoginList") => ({ invalidatesTags: (_result: unknown, error: unknown) => (error ? [] : [tag]) });

export const identityApi = generated.enhanceEndpoints({
  addTagTypes: ["MemberList", "InvitationList", "ApiKeyList", "LoginList"],
  endpoints: {
    listMembers: { providesTags: ["MemberList"] },
    changeMember: lists("MemberList"),
    removeMember: lists("MemberList"),
    listInvitations: { providesTags: ["InvitationList"] },
    createInvitation: lists("InvitationList"),
    deleteInvitation: lists("InvitationList"),
    listApiKeys: { providesTags: ["ApiKeyList"] },
    createApiKey: lists("ApiKeyList"),
    deleteApiKey: lists("ApiKeyList"),
    listLogins: { providesTags: ["LoginList"] },
    deleteLogin: lists("LoginList"),
  },
});

export const {
  useSignInMutation,
  useSignOutEverywhereMutation,
  useListIssuersQuery,
  useBeginSignInMutation,
  useBeginLinkMutation,
  useListLoginsQuery,
  useDeleteLoginMutation,
  useSwitchOrganisationMutation,
  useCreateFirstOwnerMutation,
  useAcceptInvitationMutation,
  useListMembersQuery,
  useChangeMemberMutation,
  useRemoveMemberMutation,
  useListInvitationsQuery,
  useCreateInvitationMutation,
  useDeleteInvitationMutation,
  useListApiKeysQuery,
  useCreateApiKeyMutation,
  useDeleteApiKeyMutation,
  useListAuditEntriesQuery,
} = identityApi;
