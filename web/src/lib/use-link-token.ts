import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

function stored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** Return the token of the link that was opened. It is moved from the address into this window, under `key`, so that the
 * address can be shown to others, and a reload keeps the token. */
export function useLinkToken(key: string): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const given = hash.slice(1);
  const [token, setToken] = useState(() => given || stored(key));
  if (given !== "" && given !== token) setToken(given);
  useEffect(() => {
    if (given === "") return;
    try {
      sessionStorage.setItem(key, given);
    } catch {
      // Without storage the address keeps the token: a reload would lose it.
      return;
    }
    void navigate({ hash: "" }, { replace: true });
  }, [key, given, navigate]);
  return token;
}
