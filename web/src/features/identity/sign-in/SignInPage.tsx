import { useSearchParams } from "react-router";
import { useSignInMutation } from "@/api/identity";
import { useSession } from "../use-session";
import { wayBack } from "../leave";
import { Issuers } from "../openid-connect/Issuers";
import { Refusal } from "../openid-connect/Refusal";
import { Entrance } from "./Entrance";

const FIELDS = [
  { name: "email", label: "E-mail address", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "current-password" },
] as const;

export default function SignInPage() {
  const [search] = useSearchParams();
  const [signIn] = useSignInMutation();
  const known = useSession();
  const next = wayBack(search, location.origin);
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
      fields={FIELDS}
      action="Sign in"
      next={next}
      send={({ email = "", password = "" }) => signIn({ signIn: { email, password } })}
    />
  );
}
