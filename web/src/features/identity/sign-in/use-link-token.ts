import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/** Return the token of a link, and remove it from the address and the history. */
export function useLinkToken(): string {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1));
  // Another link may be opened in the same tab.
  if (hash.length > 1 && hash.slice(1) !== token) setToken(hash.slice(1));
  useEffect(() => {
    if (hash !== "") void navigate({ pathname, search }, { replace: true });
  }, [hash, pathname, search, navigate]);
  return token;
}
