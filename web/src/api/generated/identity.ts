import { baseApi as api } from "../base-api";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listOwnSessions: build.query<
      ListOwnSessionsApiResponse,
      ListOwnSessionsApiArg
    >({
      query: () => ({ url: `/api/auth/sessions` }),
    }),
    endOwnSession: build.mutation<
      EndOwnSessionApiResponse,
      EndOwnSessionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/sessions/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    endOtherSessions: build.mutation<
      EndOtherSessionsApiResponse,
      EndOtherSessionsApiArg
    >({
      query: () => ({ url: `/api/auth/sessions/end-others`, method: "POST" }),
    }),
    getSecondFactor: build.query<
      GetSecondFactorApiResponse,
      GetSecondFactorApiArg
    >({
      query: () => ({ url: `/api/auth/second-factor` }),
    }),
    beginSecondFactor: build.mutation<
      BeginSecondFactorApiResponse,
      BeginSecondFactorApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/second-factor`,
        method: "POST",
        body: queryArg.beginSecondFactor,
      }),
    }),
    confirmSecondFactor: build.mutation<
      ConfirmSecondFactorApiResponse,
      ConfirmSecondFactorApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/second-factor/confirm`,
        method: "POST",
        body: queryArg.confirmSecondFactor,
      }),
    }),
    renewRecoveryCodes: build.mutation<
      RenewRecoveryCodesApiResponse,
      RenewRecoveryCodesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/second-factor/recovery-codes`,
        method: "POST",
        body: queryArg.renewRecoveryCodes,
      }),
    }),
    removeSecondFactor: build.mutation<
      RemoveSecondFactorApiResponse,
      RemoveSecondFactorApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/second-factor/remove`,
        method: "POST",
        body: queryArg.removeSecondFactor,
      }),
    }),
    listApiKeys: build.query<ListApiKeysApiResponse, ListApiKeysApiArg>({
      query: (queryArg) => ({
        url: `/api/api-keys`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    createApiKey: build.mutation<CreateApiKeyApiResponse, CreateApiKeyApiArg>({
      query: (queryArg) => ({
        url: `/api/api-keys`,
        method: "POST",
        body: queryArg.apiKeyIn,
      }),
    }),
    deleteApiKey: build.mutation<DeleteApiKeyApiResponse, DeleteApiKeyApiArg>({
      query: (queryArg) => ({
        url: `/api/api-keys/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    listAuditEntries: build.query<
      ListAuditEntriesApiResponse,
      ListAuditEntriesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/audit-log`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          person_id: queryArg.personId,
          resource: queryArg.resource,
          since: queryArg.since,
        },
      }),
    }),
    exportAuditLog: build.query<
      ExportAuditLogApiResponse,
      ExportAuditLogApiArg
    >({
      query: (queryArg) => ({
        url: `/api/audit-log/export`,
        params: {
          person_id: queryArg.personId,
          resource: queryArg.resource,
          since: queryArg.since,
        },
      }),
    }),
    listInvitations: build.query<
      ListInvitationsApiResponse,
      ListInvitationsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/invitations`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    createInvitation: build.mutation<
      CreateInvitationApiResponse,
      CreateInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/invitations`,
        method: "POST",
        body: queryArg.invitationIn,
      }),
    }),
    deleteInvitation: build.mutation<
      DeleteInvitationApiResponse,
      DeleteInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/invitations/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    listMembers: build.query<ListMembersApiResponse, ListMembersApiArg>({
      query: (queryArg) => ({
        url: `/api/members`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    changeMember: build.mutation<ChangeMemberApiResponse, ChangeMemberApiArg>({
      query: (queryArg) => ({
        url: `/api/members/${encodeURIComponent(String(queryArg.id))}`,
        method: "PATCH",
        body: queryArg.memberIn,
      }),
    }),
    removeMember: build.mutation<RemoveMemberApiResponse, RemoveMemberApiArg>({
      query: (queryArg) => ({
        url: `/api/members/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    listIssuers: build.query<ListIssuersApiResponse, ListIssuersApiArg>({
      query: () => ({ url: `/api/auth/issuers` }),
    }),
    signOutEverywhere: build.mutation<
      SignOutEverywhereApiResponse,
      SignOutEverywhereApiArg
    >({
      query: () => ({ url: `/api/auth/issuers/sign-out`, method: "POST" }),
    }),
    beginSignIn: build.mutation<BeginSignInApiResponse, BeginSignInApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/issuers/${encodeURIComponent(String(queryArg.name))}/sign-in`,
        method: "POST",
        body: queryArg.beginSignIn,
      }),
    }),
    beginLink: build.mutation<BeginLinkApiResponse, BeginLinkApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/issuers/${encodeURIComponent(String(queryArg.name))}/link`,
        method: "POST",
        body: queryArg.begin,
      }),
    }),
    listLogins: build.query<ListLoginsApiResponse, ListLoginsApiArg>({
      query: () => ({ url: `/api/auth/logins` }),
    }),
    deleteLogin: build.mutation<DeleteLoginApiResponse, DeleteLoginApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/logins/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    getOrganisation: build.query<
      GetOrganisationApiResponse,
      GetOrganisationApiArg
    >({
      query: () => ({ url: `/api/organisations/current` }),
    }),
    changeOrganisation: build.mutation<
      ChangeOrganisationApiResponse,
      ChangeOrganisationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/organisations/current`,
        method: "PATCH",
        body: queryArg.organisationChange,
      }),
    }),
    closeOrganisation: build.mutation<
      CloseOrganisationApiResponse,
      CloseOrganisationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/organisations/current`,
        method: "DELETE",
        params: {
          slug: queryArg.slug,
        },
      }),
    }),
    createOrganisation: build.mutation<
      CreateOrganisationApiResponse,
      CreateOrganisationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/organisations`,
        method: "POST",
        body: queryArg.organisationIn,
      }),
    }),
    createPasswordReset: build.mutation<
      CreatePasswordResetApiResponse,
      CreatePasswordResetApiArg
    >({
      query: (queryArg) => ({
        url: `/api/password-resets`,
        method: "POST",
        body: queryArg.passwordResetIn,
      }),
    }),
    resetPassword: build.mutation<
      ResetPasswordApiResponse,
      ResetPasswordApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/password-reset`,
        method: "POST",
        body: queryArg.resetPassword,
      }),
    }),
    listServiceAccounts: build.query<
      ListServiceAccountsApiResponse,
      ListServiceAccountsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/service-accounts`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    createServiceAccount: build.mutation<
      CreateServiceAccountApiResponse,
      CreateServiceAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/api/service-accounts`,
        method: "POST",
        body: queryArg.serviceAccountIn,
      }),
    }),
    deleteServiceAccount: build.mutation<
      DeleteServiceAccountApiResponse,
      DeleteServiceAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/api/service-accounts/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    getSession: build.query<GetSessionApiResponse, GetSessionApiArg>({
      query: () => ({ url: `/api/auth/session` }),
    }),
    signIn: build.mutation<SignInApiResponse, SignInApiArg>({
      query: (queryArg) => ({
        url: `/api/auth/sign-in`,
        method: "POST",
        body: queryArg.signIn,
      }),
    }),
    signOut: build.mutation<SignOutApiResponse, SignOutApiArg>({
      query: () => ({ url: `/api/auth/sign-out`, method: "POST" }),
    }),
    switchOrganisation: build.mutation<
      SwitchOrganisationApiResponse,
      SwitchOrganisationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/organisation`,
        method: "POST",
        body: queryArg.switchOrganisation,
      }),
    }),
    changePassword: build.mutation<
      ChangePasswordApiResponse,
      ChangePasswordApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/password`,
        method: "POST",
        body: queryArg.changePassword,
      }),
    }),
    createFirstOwner: build.mutation<
      CreateFirstOwnerApiResponse,
      CreateFirstOwnerApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/first-owner`,
        method: "POST",
        body: queryArg.firstOwner,
      }),
    }),
    acceptInvitation: build.mutation<
      AcceptInvitationApiResponse,
      AcceptInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/auth/invitations/accept`,
        method: "POST",
        body: queryArg.acceptInvitation,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as identityApi };
export type ListOwnSessionsApiResponse =
  /** status 200 Successful Response */ OwnSessions;
export type ListOwnSessionsApiArg = void;
export type EndOwnSessionApiResponse = unknown;
export type EndOwnSessionApiArg = {
  id: string;
};
export type EndOtherSessionsApiResponse = unknown;
export type EndOtherSessionsApiArg = void;
export type GetSecondFactorApiResponse =
  /** status 200 Successful Response */ SecondFactorOut;
export type GetSecondFactorApiArg = void;
export type BeginSecondFactorApiResponse =
  /** status 200 Successful Response */ SecondFactorBegun;
export type BeginSecondFactorApiArg = {
  beginSecondFactor: BeginSecondFactorWrite;
};
export type ConfirmSecondFactorApiResponse =
  /** status 200 Successful Response */ RecoveryCodes;
export type ConfirmSecondFactorApiArg = {
  confirmSecondFactor: ConfirmSecondFactor;
};
export type RenewRecoveryCodesApiResponse =
  /** status 200 Successful Response */ RecoveryCodes;
export type RenewRecoveryCodesApiArg = {
  renewRecoveryCodes: RenewRecoveryCodesWrite;
};
export type RemoveSecondFactorApiResponse = unknown;
export type RemoveSecondFactorApiArg = {
  removeSecondFactor: RemoveSecondFactorWrite;
};
export type ListApiKeysApiResponse =
  /** status 200 Successful Response */ PageApiKeyOut;
export type ListApiKeysApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type CreateApiKeyApiResponse =
  /** status 201 Successful Response */ ApiKeyCreated;
export type CreateApiKeyApiArg = {
  apiKeyIn: ApiKeyIn;
};
export type DeleteApiKeyApiResponse = unknown;
export type DeleteApiKeyApiArg = {
  id: string;
};
export type ListAuditEntriesApiResponse =
  /** status 200 Successful Response */ PageEntryOut;
export type ListAuditEntriesApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
  /** Only what this person did. */
  personId?: string | null;
  /** Only this kind, such as `member`. */
  resource?: string | null;
  /** Only from this time on. */
  since?: string | null;
};
export type ExportAuditLogApiResponse =
  /** status 200 Successful Response */ string;
export type ExportAuditLogApiArg = {
  /** Only what this person did. */
  personId?: string | null;
  /** Only this kind, such as `member`. */
  resource?: string | null;
  /** Only from this time on. */
  since?: string | null;
};
export type ListInvitationsApiResponse =
  /** status 200 Successful Response */ PageInvitationOut;
export type ListInvitationsApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type CreateInvitationApiResponse =
  /** status 201 Successful Response */ InvitationCreated;
export type CreateInvitationApiArg = {
  invitationIn: InvitationIn;
};
export type DeleteInvitationApiResponse = unknown;
export type DeleteInvitationApiArg = {
  id: string;
};
export type ListMembersApiResponse =
  /** status 200 Successful Response */ PageMemberOut;
export type ListMembersApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type ChangeMemberApiResponse =
  /** status 200 Successful Response */ MemberOut;
export type ChangeMemberApiArg = {
  id: string;
  memberIn: MemberIn;
};
export type RemoveMemberApiResponse = unknown;
export type RemoveMemberApiArg = {
  id: string;
};
export type ListIssuersApiResponse =
  /** status 200 Successful Response */ IssuersOut;
export type ListIssuersApiArg = void;
export type SignOutEverywhereApiResponse =
  /** status 200 Successful Response */ SignedOut;
export type SignOutEverywhereApiArg = void;
export type BeginSignInApiResponse =
  /** status 200 Successful Response */ Begun;
export type BeginSignInApiArg = {
  name: string;
  beginSignIn: BeginSignInWrite;
};
export type BeginLinkApiResponse = /** status 200 Successful Response */ Begun;
export type BeginLinkApiArg = {
  name: string;
  begin: Begin;
};
export type ListLoginsApiResponse =
  /** status 200 Successful Response */ LoginsOut;
export type ListLoginsApiArg = void;
export type DeleteLoginApiResponse = unknown;
export type DeleteLoginApiArg = {
  id: string;
};
export type GetOrganisationApiResponse =
  /** status 200 Successful Response */ OrganisationOut;
export type GetOrganisationApiArg = void;
export type ChangeOrganisationApiResponse =
  /** status 200 Successful Response */ OrganisationOut;
export type ChangeOrganisationApiArg = {
  organisationChange: OrganisationChange;
};
export type CloseOrganisationApiResponse = unknown;
export type CloseOrganisationApiArg = {
  /** The short name of the organisation, as a confirmation. */
  slug: string;
};
export type CreateOrganisationApiResponse =
  /** status 201 Successful Response */ OrganisationOut;
export type CreateOrganisationApiArg = {
  organisationIn: OrganisationIn;
};
export type CreatePasswordResetApiResponse =
  /** status 201 Successful Response */ PasswordResetOut;
export type CreatePasswordResetApiArg = {
  passwordResetIn: PasswordResetIn;
};
export type ResetPasswordApiResponse = unknown;
export type ResetPasswordApiArg = {
  resetPassword: ResetPasswordWrite;
};
export type ListServiceAccountsApiResponse =
  /** status 200 Successful Response */ PageServiceAccountOut;
export type ListServiceAccountsApiArg = {
  /** At most this many per page. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string | null;
};
export type CreateServiceAccountApiResponse =
  /** status 201 Successful Response */ ServiceAccountOut;
export type CreateServiceAccountApiArg = {
  serviceAccountIn: ServiceAccountIn;
};
export type DeleteServiceAccountApiResponse = unknown;
export type DeleteServiceAccountApiArg = {
  id: string;
};
export type GetSessionApiResponse =
  /** status 200 Successful Response */ SessionOut;
export type GetSessionApiArg = void;
export type SignInApiResponse =
  /** status 200 Successful Response */ SessionOut;
export type SignInApiArg = {
  signIn: SignInWrite;
};
export type SignOutApiResponse = unknown;
export type SignOutApiArg = void;
export type SwitchOrganisationApiResponse =
  /** status 200 Successful Response */ SessionOut;
export type SwitchOrganisationApiArg = {
  switchOrganisation: SwitchOrganisation;
};
export type ChangePasswordApiResponse =
  /** status 200 Successful Response */ SessionOut;
export type ChangePasswordApiArg = {
  changePassword: ChangePasswordWrite;
};
export type CreateFirstOwnerApiResponse =
  /** status 201 Successful Response */ SessionOut;
export type CreateFirstOwnerApiArg = {
  firstOwner: FirstOwnerWrite;
};
export type AcceptInvitationApiResponse =
  /** status 201 Successful Response */ SessionOut;
export type AcceptInvitationApiArg = {
  acceptInvitation: AcceptInvitationWrite;
};
export type OwnSessionOut = {
  id: string;
  /** The session that asks. */
  current: boolean;
  created_at: string;
  /** Accurate to about a minute. */
  used_at: string;
  address: string | null;
  /** The browser's description of itself, which is not verified. */
  device: string | null;
};
export type OwnSessions = {
  items: OwnSessionOut[];
};
export type ProblemField = {
  field: string;
  message: string;
};
export type ProblemBody = {
  type?: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemField[];
  [key: string]: any;
};
export type SecondFactorOut = {
  enabled: boolean;
  /** Whether the organisation requires one of every member. */
  required: boolean;
  /** The number of recovery codes that are left. */
  recovery_codes: number;
};
export type SecondFactorBegun = {
  /** The secret in Base32, to be typed into the app. */
  secret: string;
  /** The secret as an address `otpauth://…`. */
  uri: string;
  /** The address as a QR code: an SVG picture as `data:` URL. */
  picture: string;
};
export type BeginSecondFactor = {};
export type BeginSecondFactorWrite = {
  /** Your own password, so that access to an open browser is not enough. */
  password: string;
};
export type RecoveryCodes = {
  /** Recovery codes, shown only now. Each works once, instead of a code of the app. */
  codes: string[];
};
export type ConfirmSecondFactor = {
  code: string;
};
export type RenewRecoveryCodes = {
  /** A code of the app; recovery codes do not count here. */
  code?: string | null;
};
export type RenewRecoveryCodesWrite = {
  password?: string | null;
  /** A code of the app; recovery codes do not count here. */
  code?: string | null;
};
export type RemoveSecondFactor = {
  /** A code of the app, or a recovery code. */
  code: string;
};
export type RemoveSecondFactorWrite = {
  password: string;
  /** A code of the app, or a recovery code. */
  code: string;
};
export type ApiKeyOut = {
  id: string;
  name: string;
  person_id: string;
  person_name: string;
  scopes: string[] | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
};
export type PageApiKeyOut = {
  items: ApiKeyOut[];
  next_cursor: string | null;
};
export type ApiKeyCreated = {
  id: string;
  name: string;
  person_id: string;
  person_name: string;
  scopes: string[] | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** The key, shown only now: only its hash is stored. */
  key: string;
};
export type ApiKeyIn = {
  name: string;
  /** Pairs `resource:verb` that the key may use; null for all that your role allows. */
  scopes?: string[] | null;
  /** Null: the key does not expire. */
  expires_at?: string | null;
  /** The service account that the key acts for; null for yourself. */
  service_account_id?: string | null;
};
export type EntryOut = {
  id: string;
  at: string;
  person_id: string | null;
  person_name: string;
  address: string | null;
  /** In the past tense, such as `created`. */
  action: string;
  resource: string;
  resource_id: string | null;
  before: {
    [key: string]: any;
  } | null;
  after: {
    [key: string]: any;
  } | null;
};
export type PageEntryOut = {
  items: EntryOut[];
  next_cursor: string | null;
};
export type Role = "owner" | "admin" | "member" | "viewer" | "annotator";
export type InvitationOut = {
  id: string;
  role: Role;
  email: string | null;
  created_by: string | null;
  created_at: string;
  expires_at: string;
};
export type PageInvitationOut = {
  items: InvitationOut[];
  next_cursor: string | null;
};
export type InvitationCreated = {
  id: string;
  role: Role;
  email: string | null;
  created_by: string | null;
  created_at: string;
  expires_at: string;
  /** Shown only now. It belongs in the fragment of the link, which browsers do not send. */
  token: string;
  /** The link's path and fragment, which follow the platform's address. */
  path: string;
};
export type InvitationIn = {
  role: Role;
  /** The address of the invited person. It is shown in the list, and not checked. */
  email?: string | null;
  expires_in_days?: number;
};
export type MemberOut = {
  id: string;
  name: string;
  email: string;
  role: Role;
  created_at: string;
};
export type PageMemberOut = {
  items: MemberOut[];
  next_cursor: string | null;
};
export type MemberIn = {
  role: Role;
};
export type IssuerOut = {
  name: string;
  title: string;
};
export type IssuersOut = {
  items: IssuerOut[];
};
export type SignedOut = {
  /** The address at which the issuer's session ends, if it offers one. */
  location: string | null;
};
export type Begun = {
  /** The issuer's address, which the browser has to open. */
  location: string;
};
export type BeginSignIn = {
  /** The path here to open afterwards. Anything else leads to the runs. */
  next?: string;
};
export type BeginSignInWrite = {
  /** The path here to open afterwards. Anything else leads to the runs. */
  next?: string;
  /** The token of an invitation, to accept it with the account at the issuer. */
  invitation?: string | null;
};
export type Begin = {
  /** The path here to open afterwards. Anything else leads to the runs. */
  next?: string;
};
export type LoginOut = {
  id: string;
  /** The issuer's title; its address if it is no longer configured. */
  issuer: string;
  created_at: string;
  last_used_at: string;
};
export type LoginsOut = {
  items: LoginOut[];
};
export type SettingsOut = {
  cost_budget_monthly_usd?: number | null;
  default_evaluators?: string[];
  data_retention_days?: number | null;
};
export type LimitsOut = {
  concurrency: number | null;
  runs_a_day: number | null;
  storage_bytes: number | null;
  members: number | null;
};
export type OrganisationOut = {
  id: string;
  name: string;
  slug: string;
  plan: "FREE" | "STARTER" | "PROFESSIONAL" | "ENTERPRISE";
  billing_email: string | null;
  settings: SettingsOut;
  limits: LimitsOut;
  require_second_factor: boolean;
  /** False for the first organisation of the platform, which stays open. */
  closable: boolean;
  version: number;
  created_at: string;
  updated_at: string;
};
export type SettingsChange = {
  /** US dollars that calls may cost in a month (UTC). At 80 % people are warned. At 100 % no run starts, and running ones pause. */
  cost_budget_monthly_usd?: number | null;
  /** Evaluators of runs and evaluations that name none. */
  default_evaluators?: string[] | null;
  /** Days after which finished runs are removed. */
  data_retention_days?: number | null;
};
export type OrganisationChange = {
  name?: string | null;
  slug?: string | null;
  billing_email?: string | null;
  settings?: SettingsChange | null;
  /** True requires a second factor of every member. You need one yourself first. */
  require_second_factor?: boolean | null;
};
export type OrganisationIn = {
  name: string;
  slug: string;
};
export type PasswordResetOut = {
  person_id: string;
  second_factor: boolean;
  expires_at: string;
  /** Shown only now. It belongs in the fragment of the link, which browsers do not send. */
  token: string;
  /** The link's path and fragment, which follow the platform's address. */
  path: string;
};
export type PasswordResetIn = {
  /** A person who is a member of this organisation only. */
  person_id: string;
  /** True also removes the second factor, for instance of a lost device. */
  second_factor?: boolean;
};
export type ResetPassword = {};
export type ResetPasswordWrite = {
  /** The token from the link that an admin has passed on. */
  token: string;
  password: string;
};
export type ServiceAccountOut = {
  id: string;
  name: string;
  role: Role;
  created_at: string;
};
export type PageServiceAccountOut = {
  items: ServiceAccountOut[];
  next_cursor: string | null;
};
export type ServiceAccountIn = {
  name: string;
  role: "admin" | "member" | "viewer" | "annotator";
};
export type PersonOut = {
  id: string;
  name: string;
  email: string;
};
export type OrganisationOut2 = {
  id: string;
  name: string;
  slug: string;
};
export type MembershipOut = {
  id: string;
  name: string;
  slug: string;
  role: Role;
};
export type SecondFactorState = {
  enabled: boolean;
  /** Whether the organisation requires one of every member. */
  required: boolean;
  /** Whether this session needs one before it may do anything. */
  lacking: boolean;
};
export type SessionOut = {
  auth: "on" | "off";
  signed_in: boolean;
  /** True until somebody has used the link of the first start. */
  first_owner_needed: boolean;
  person?: PersonOut | null;
  organisation?: OrganisationOut2 | null;
  role?: Role | null;
  organisations?: MembershipOut[];
  /** Every request that changes something sends it as X-CSRF-Token. */
  csrf_token?: string | null;
  second_factor?: SecondFactorState | null;
  /** `proxy`: a proxy in front of the platform signs people in. */
  sign_in?: "password" | "proxy";
  /** Why the person whom the proxy names has no session. */
  refused?: string | null;
  /** Pairs `resource:verb` that the role allows. */
  allowed?: (
    | "annotation-tasks:create"
    | "annotation-tasks:delete"
    | "annotation-tasks:read"
    | "annotation-tasks:update"
    | "annotations:create"
    | "annotations:delete"
    | "annotations:read"
    | "annotations:update"
    | "api-keys:create"
    | "api-keys:delete"
    | "api-keys:read"
    | "api-keys:update"
    | "audit-log:create"
    | "audit-log:delete"
    | "audit-log:read"
    | "audit-log:update"
    | "collections:create"
    | "collections:delete"
    | "collections:read"
    | "collections:update"
    | "datasets:create"
    | "datasets:delete"
    | "datasets:read"
    | "datasets:update"
    | "documents:create"
    | "documents:delete"
    | "documents:read"
    | "documents:update"
    | "evaluators:create"
    | "evaluators:delete"
    | "evaluators:read"
    | "evaluators:update"
    | "experiments:create"
    | "experiments:delete"
    | "experiments:read"
    | "experiments:update"
    | "invitations:create"
    | "invitations:delete"
    | "invitations:read"
    | "invitations:update"
    | "members:create"
    | "members:delete"
    | "members:read"
    | "members:update"
    | "organisation:create"
    | "organisation:delete"
    | "organisation:read"
    | "organisation:update"
    | "presets:create"
    | "presets:delete"
    | "presets:read"
    | "presets:update"
    | "prompts:create"
    | "prompts:delete"
    | "prompts:read"
    | "prompts:update"
    | "providers:create"
    | "providers:delete"
    | "providers:read"
    | "providers:update"
    | "runs:create"
    | "runs:delete"
    | "runs:read"
    | "runs:update"
    | "service-accounts:create"
    | "service-accounts:delete"
    | "service-accounts:read"
    | "service-accounts:update"
    | "storage:create"
    | "storage:delete"
    | "storage:read"
    | "storage:update"
    | "suites:create"
    | "suites:delete"
    | "suites:read"
    | "suites:update"
    | "tasks:create"
    | "tasks:delete"
    | "tasks:read"
    | "tasks:update"
    | "usage:create"
    | "usage:delete"
    | "usage:read"
    | "usage:update"
  )[];
};
export type SignIn = {
  email: string;
  /** The code of the second factor, where the account has one. */
  code?: string | null;
};
export type SignInWrite = {
  email: string;
  password: string;
  /** The code of the second factor, where the account has one. */
  code?: string | null;
};
export type SwitchOrganisation = {
  id: string;
};
export type ChangePassword = {};
export type ChangePasswordWrite = {
  current: string;
  new: string;
};
export type FirstOwner = {
  email: string;
  name: string;
  /** The name of the organisation, which owns all existing data. */
  organisation: string;
};
export type FirstOwnerWrite = {
  /** The token from the link in the log of the first start. */
  token: string;
  email: string;
  name: string;
  password: string;
  /** The name of the organisation, which owns all existing data. */
  organisation: string;
};
export type AcceptInvitation = {
  name: string;
  email: string;
  /** The code of the second factor, if that account has one. */
  code?: string | null;
};
export type AcceptInvitationWrite = {
  /** The token from the link of the invitation. */
  token: string;
  name: string;
  email: string;
  /** A new password, or that of your account if the address has one. */
  password: string;
  /** The code of the second factor, if that account has one. */
  code?: string | null;
};
export const {
  useListOwnSessionsQuery,
  useEndOwnSessionMutation,
  useEndOtherSessionsMutation,
  useGetSecondFactorQuery,
  useBeginSecondFactorMutation,
  useConfirmSecondFactorMutation,
  useRenewRecoveryCodesMutation,
  useRemoveSecondFactorMutation,
  useListApiKeysQuery,
  useCreateApiKeyMutation,
  useDeleteApiKeyMutation,
  useListAuditEntriesQuery,
  useExportAuditLogQuery,
  useListInvitationsQuery,
  useCreateInvitationMutation,
  useDeleteInvitationMutation,
  useListMembersQuery,
  useChangeMemberMutation,
  useRemoveMemberMutation,
  useListIssuersQuery,
  useSignOutEverywhereMutation,
  useBeginSignInMutation,
  useBeginLinkMutation,
  useListLoginsQuery,
  useDeleteLoginMutation,
  useGetOrganisationQuery,
  useChangeOrganisationMutation,
  useCloseOrganisationMutation,
  useCreateOrganisationMutation,
  useCreatePasswordResetMutation,
  useResetPasswordMutation,
  useListServiceAccountsQuery,
  useCreateServiceAccountMutation,
  useDeleteServiceAccountMutation,
  useGetSessionQuery,
  useSignInMutation,
  useSignOutMutation,
  useSwitchOrganisationMutation,
  useChangePasswordMutation,
  useCreateFirstOwnerMutation,
  useAcceptInvitationMutation,
} = injectedRtkApi;
