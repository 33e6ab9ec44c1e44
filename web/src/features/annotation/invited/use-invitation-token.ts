import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

const KEY = "llmbench.invitation";

function stored(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Return the token of the link. It is moved from the address into this window, so that the address can be
 * shown to others, and a reload keeps the token. */
export function useInvitationToken(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const given = hash.slice(1);
  const [token, setToken] = useState(given || stored);
  if (given !== "" && given !== token) setToken(given);
  useEffect(() => {
    if (given === "") return;
    try {
      sessionStorage.setItem(KEY, given);
    } catch {
      // Without storage the address keeps the token: a reload would lose it.
      return;
    }
    void navigate({ hash: "" }, { replace: true });
  }, [given, navigate]);
  return token;
}
