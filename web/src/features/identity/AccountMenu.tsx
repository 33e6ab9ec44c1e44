import { use, useEffect } from "react";
import { useSignOutEverywhereMutation, useSwitchOrganisationMutation } from "@/api/identity";
import type { SessionOut } from "@/api/generated/identity";
import { may } from "@/api/session";
import { Menu, type MenuEntry } from "@/components/Menu";
import { toast } from "@/components/Toast";
import { harmless } from "@/lib/plain-text";
import { toProblem } from "@/lib/problem";
import { HOME, keepNotice, Leave, takeNotice } from "./leave";

const PAGES = [
  { label: "Organisation", to: "/settings/organisation", right: "organisation:read" },
  { label: "Usage", to: "/usage", right: "usage:read" },
  { label: "Members", to: "/settings/members", right: "members:read" },
  { label: "API keys", to: "/settings/api-keys", right: "api-keys:read" },
  { label: "Service accounts", to: "/settings/service-accounts", right: "service-accounts:read" },
  { label: "Audit log", to: "/settings/audit-log", right: "audit-log:read" },
] as const;

type OrganisationOfPerson = NonNullable<SessionOut["organisations"]>[number];

export default function AccountMenu({ session }: { session: SessionOut }) {
  const leave = use(Leave);
  const [signOut] = useSignOutEverywhereMutation();
  const [switchTo] = useSwitchOrganisationMutation();
  const { person, organisation, role, organisations = [] } = session;
  const after = (path: string, answer: { error?: unknown }) => {
    if (answer.error === undefined) leave(path);
    else toast(toProblem(answer.error).detail, "bad");
  };
  const others = organisations.filter((one) => one.id !== organisation?.id);
  useMove(organisation ? undefined : others[0]);
  const entries: MenuEntry[] = [
    { label: harmless(organisation?.name ?? "No organisation"), detail: `${role ?? "no role"} · ${person?.email ?? ""}`, icon: "check", disabled: true },
    ...others.map((one) => ({
      label: `Change to ${harmless(one.name)}`,
      detail: one.role,
      onSelect: () => void switchTo({ switchOrganisation: { id: one.id } }).then((answer) => after(HOME, answer)),
    })),
    { label: "Your account", to: "/settings/account" },
    ...PAGES.filter(({ right }) => may(session, right)).map(({ label, to }) => ({ label, to })),
    { label: "Linked accounts", to: "/settings/linked-accounts" },
    { label: "Sign out", onSelect: () => void signOut().then((answer) => after(answer.data?.location ?? "/sign-in", answer)) },
  ];
  return <Menu label={harmless(person?.name ?? "Account")} icon="down" entries={entries} className="ml-1 max-w-40 justify-start overflow-hidden max-sm:w-8" />;
}

/** Move the session to another organisation when its own was closed, or has removed the person. */
function useMove(next: OrganisationOfPerson | undefined) {
  const leave = use(Leave);
  const [switchTo] = useSwitchOrganisationMutation();
  const { id, name } = next ?? {};
  useEffect(() => {
    const notice = takeNotice();
    if (notice !== null) toast(notice);
  }, []);
  useEffect(() => {
    if (id === undefined || name === undefined) return;
    void switchTo({ switchOrganisation: { id } }).then(({ error }) => {
      if (error !== undefined) return toast(toProblem(error).detail, "bad");
      keepNotice(`Your organisation was closed, or you were removed from it. You are in ${harmless(name)} now.`);
      leave(HOME);
    });
  }, [id, name, switchTo, leave]);
}
