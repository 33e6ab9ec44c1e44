import { useSearchParams } from "react-router";
import { useSignInMutation } from "@/api/identity";
import { useSession } from "../use-session";
import { wayBack } from "../leave";
import { Entrance } from "./Entrance";

const FIELDS = [
  { name: "email", label: "E-mail address", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "current-password" },
] as const;

export default function SignInPage() {
  const [search] = useSearchParams();
  const [signIn] = useSignInMutation();
  const known = useSession();
  return (
    <Entrance
      title="Sign in"
      intro={known?.first_owner_needed && <p role="status">Nobody owns this platform yet. Open the link that its first start printed.</p>}
      fields={FIELDS}
      action="Sign in"
      next={wayBack(search, location.origin)}
      send={({ email = "", password = "" }) => signIn({ signIn: { email, password } })}
    />
  );
}
