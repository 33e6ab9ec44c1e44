import type { Screen } from "@/lib/screen";

const form = () => import("./form/ProviderFormPage");

export const screens: readonly Screen[] = [
  {
    name: "providers",
    path: "/providers",
    right: "providers:read",
    page: () => import("./list/ProvidersPage"),
    navigation: { label: "Providers", area: "settings", position: 1, key: "p" },
    shows: 'role=list[name="Providers"]',
    picture: true,
  },
  { name: "provider-new", path: "/providers/new", right: "providers:create", page: form, shows: "main form" },
  { name: "provider", path: "/providers/:providerId", right: "providers:read", page: form, shows: "main form" },
];
