import { useCreateFirstOwnerMutation } from "@/api/identity";
import { HOME } from "../leave";
import { Entrance, LinkMissing } from "./Entrance";
import { useLinkToken } from "./use-link-token";

const FIELDS = [
  { name: "organisation", label: "Organisation", autoComplete: "organization", hint: "It gets what is already there." },
  { name: "name", label: "Your name", autoComplete: "name" },
  { name: "email", label: "E-mail address", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "new-password", hint: "At least 10 characters.", least: 10 },
] as const;

export default function FirstOwnerPage() {
  const token = useLinkToken();
  const [create] = useCreateFirstOwnerMutation();
  if (token === "") return <LinkMissing title="Become the owner" />;
  return (
    <Entrance
      title="Become the owner"
      fields={FIELDS}
      action="Create the account"
      next={HOME}
      send={({ organisation = "", name = "", email = "", password = "" }) => create({ firstOwner: { token, organisation, name, email, password } })}
    />
  );
}
