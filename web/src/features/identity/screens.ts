import type { Screen } from "@/lib/screen";

export const screens: readonly Screen[] = [
  { name: "sign-in", path: "/sign-in", page: () => import("./sign-in/SignInPage"), bare: true, shows: "main h1" },
  { name: "first-owner", path: "/first-owner", page: () => import("./sign-in/FirstOwnerPage"), bare: true, shows: "main h1" },
  { name: "invitation", path: "/invitation", page: () => import("./sign-in/InvitationPage"), bare: true, shows: "main h1" },
  { name: "reset-password", path: "/reset-password", page: () => import("./sign-in/ResetPasswordPage"), bare: true, shows: "main h1" },
  { name: "account", path: "/settings/account", page: () => import("./settings/AccountPage"), shows: "main h1" },
  {
    name: "members",
    path: "/settings/members",
    page: () => import("./settings/MembersPage"),
    navigation: { label: "Members", area: "settings", position: 4, right: "members:read", signIn: true },
    shows: "main h1",
  },
  {
    name: "api-keys",
    path: "/settings/api-keys",
    page: () => import("./settings/ApiKeysPage"),
    navigation: { label: "API keys", area: "settings", position: 5, right: "api-keys:read", signIn: true },
    shows: "main h1",
  },
  {
    name: "organisation",
    path: "/settings/organisation",
    page: () => import("./settings/OrganisationPage"),
    navigation: { label: "Organisation", area: "settings", position: 3, right: "organisation:read", signIn: true },
    shows: "main h1",
  },
  {
    name: "service-accounts",
    path: "/settings/service-accounts",
    page: () => import("./settings/ServiceAccountsPage"),
    navigation: { label: "Service accounts", area: "settings", position: 6, right: "service-accounts:read", signIn: true },
    shows: "main h1",
  },
  {
    name: "audit-log",
    path: "/settings/audit-log",
    page: () => import("./settings/AuditLogPage"),
    navigation: { label: "Audit log", area: "settings", position: 7, right: "audit-log:read", signIn: true },
    shows: "main h1",
  },
  { name: "linked-accounts", path: "/settings/linked-accounts", page: () => import("./openid-connect/LinkedAccountsPage"), shows: "main h1" },
];
