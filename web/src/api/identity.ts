/** People, roles, keys and the audit log as the app uses them: the generated client plus cache tags. */

import { identityApi as generated } from "./generated/identity";

const lists = (tag: Tag) => ({ invalidatesTags: (_result: unknown, error: unknown) => (error ? [] : [tag]) });

type Tag = "MemberList" | "InvitationList" | "ApiKeyList" | "LoginList" | "ServiceAccountList" | "OwnSessionList" | "SecondFactor" | "Organisation";

export const identityApi = generated.enhanceEndpoints({
  addTagTypes: ["MemberList", "InvitationList", "ApiKeyList", "LoginList", "ServiceAccountList", "OwnSessionList", "SecondFactor", "Organisation"],
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
    listServiceAccounts: { providesTags: ["ServiceAccountList"] },
    createServiceAccount: lists("ServiceAccountList"),
    deleteServiceAccount: { invalidatesTags: (_result, error) => (error ? [] : ["ServiceAccountList", "ApiKeyList"]) },
    listOwnSessions: { providesTags: ["OwnSessionList"] },
    endOwnSession: lists("OwnSessionList"),
    endOtherSessions: lists("OwnSessionList"),
    getSecondFactor: { providesTags: ["SecondFactor"] },
    confirmSecondFactor: { invalidatesTags: (_result, error) => (error ? [] : ["SecondFactor", "OwnSessionList"]) },
    removeSecondFactor: lists("SecondFactor"),
    getOrganisation: { providesTags: ["Organisation"] },
    changeOrganisation: lists("Organisation"),
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
  useListServiceAccountsQuery,
  useCreateServiceAccountMutation,
  useDeleteServiceAccountMutation,
  useListOwnSessionsQuery,
  useEndOwnSessionMutation,
  useEndOtherSessionsMutation,
  useChangePasswordMutation,
  useGetSecondFactorQuery,
  useBeginSecondFactorMutation,
  useConfirmSecondFactorMutation,
  useRemoveSecondFactorMutation,
  useCreatePasswordResetMutation,
  useResetPasswordMutation,
  useGetOrganisationQuery,
  useChangeOrganisationMutation,
} = identityApi;
