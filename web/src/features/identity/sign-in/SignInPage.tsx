import { useSearchParams } from "react-router";
import { useSignInMutation } from "@/api/identity";
import { Button } from "@/components/Button";
import { useSession } from "../use-session";
import { wayBack } from "../leave";
import { Issuers } from "../openid-connect/Issuers";
import { Refusal } from "../openid-connect/Refusal";
import { Entrance, Frame } from "./Entrance";
import { useCode } from "./use-code";

const FIELDS = [
  { name: "email", label: "E-mail address", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "current-password" },
] as const;

export default function SignInPage() {
  const [search] = useSearchParams();
  const [signIn] = useSignInMutation();
  const code = useCode();
  const known = useSession();
  const next = wayBack(search, location.origin);
  if (known?.sign_in === "proxy") {
    return (
      <Frame title="Sign in">
        <p className="text-ink-2">{known.refused ?? "A proxy in front of this platform signs people in."}</p>
        <Button kind="primary" onClick={() => location.assign(next)}>Try again</Button>
      </Frame>
    );
  }
  return (
    <Entrance
      title="Sign in"
      intro={
        known?.auth === "on" && (
          <div className="flex flex-col gap-4">
            {known.first_owner_needed && <p role="status">Nobody owns this platform yet. Open the link that its first start printed.</p>}
            <Refusal search={search} />
            <Issuers next={next} />
          </div>
        )
      }
      fields={[...FIELDS, ...code.fields]}
      action="Sign in"
      next={next}
      send={async ({ email = "", password = "", ...more }) => code.watch(await signIn({ signIn: { email, password, code: more.code || null } }))}
      outro={<p className="text-xs text-ink-3">A forgotten password? An admin of your organisation can give you a link that sets a new one.</p>}
    />
  );
}
