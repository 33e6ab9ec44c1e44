import { useResetPasswordMutation } from "@/api/identity";
import { Entrance, LinkMissing } from "./Entrance";
import { useLinkToken } from "./use-link-token";

const FIELDS = [
  { name: "password", label: "New password", type: "password", autoComplete: "new-password", hint: "At least 10 characters.", least: 10 },
] as const;

export default function ResetPasswordPage() {
  const token = useLinkToken();
  const [reset] = useResetPasswordMutation();
  if (token === "") return <LinkMissing title="Choose a new password" />;
  return (
    <Entrance
      title="Choose a new password"
      intro="All of your sessions end. Sign in with the new password after that."
      fields={FIELDS}
      action="Set the password"
      next="/sign-in"
      send={({ password = "" }) => reset({ resetPassword: { token, password } })}
    />
  );
}
