import { useAcceptInvitationMutation } from "@/api/identity";
import { HOME } from "../leave";
import { Issuers } from "../openid-connect/Issuers";
import { useSession } from "../use-session";
import { Entrance, LinkMissing } from "./Entrance";
import { useCode } from "./use-code";
import { useLinkToken } from "./use-link-token";

const FIELDS = [
  { name: "name", label: "Your name", autoComplete: "name" },
  { name: "email", label: "E-mail address", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "new-password", hint: "At least 10 characters; or your own, if you already have an account here.", least: 10 },
] as const;

export default function InvitationPage() {
  const token = useLinkToken();
  const [accept] = useAcceptInvitationMutation();
  const code = useCode();
  const known = useSession();
  if (token === "") return <LinkMissing title="Accept the invitation" />;
  return (
    <Entrance
      title="Accept the invitation"
      intro={known?.auth === "on" && <Issuers next={HOME} invitation={token} />}
      fields={[...FIELDS, ...code.fields]}
      action="Join"
      next={HOME}
      send={async ({ name = "", email = "", password = "", ...more }) => code.watch(await accept({ acceptInvitation: { token, name, email, password, code: more.code || null } }))}
    />
  );
}
