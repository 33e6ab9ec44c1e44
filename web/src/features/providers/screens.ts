import type { Screen } from "@/lib/screen";

const form = () => import("./form/ProviderFormPage");

export const screens: readonly Screen[] = [
  {
    name: "providers",
    path: "/providers",
    page: () => import("./list/ProvidersPage"),
    navigation: { label: "Providers", position: 1 },
    shows: 'role=list[name="Providers"]',
    picture: true,
  },
  { name: "provider-new", path: "/providers/new", page: form, shows: "main form" },
  { name: "provider", path: "/providers/:providerId", page: form, shows: "main form" },
];
