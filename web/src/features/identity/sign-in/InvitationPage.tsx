import { useAcceptInvitationMutation } from "@/api/identity";
import { Entrance, LinkMissing } from "./Entrance";
import { useLinkToken } from "./use-link-token";

const FIELDS = [
  { name: "name", label: "Your name", autoComplete: "name" },
  { name: "email", label: "E-mail address", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "new-password", hint: "At least 10 characters; or your own, if you already have an account here.", least: 10 },
] as const;

export default function InvitationPage() {
  const token = useLinkToken();
  const [accept] = useAcceptInvitationMutation();
  if (token === "") return <LinkMissing title="Accept the invitation" />;
  return (
    <Entrance
      title="Accept the invitation"
      fields={FIELDS}
      action="Join"
      next="/runs"
      send={({ name = "", email = "", password = "" }) => accept({ acceptInvitation: { token, name, email, password } })}
    />
  );
}
