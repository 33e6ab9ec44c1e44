/** Screens by rights: who may not see one gets an explanation, and `/` leads to the first one that the role allows. */

import { useEffect, type ComponentType } from "react";
import { Navigate } from "react-router";
import type { SessionOut } from "@/api/generated/identity";
import { readSession } from "@/api/session";
import { ButtonLink } from "@/components/Button";
import { Message } from "@/components/Message";
import { session, useMay, type Right } from "@/lib/rights";
import { useTitle } from "@/lib/use-title";
import { useValue } from "@/live/hooks";
import { usePlaces } from "./screens";

/** The first place for people; the others follow in the order of the navigation. */
const HOME = "/runs";

/** Resolve once the session was read. A server that does not answer is no reason to wait. */
export async function sessionRead(): Promise<void> {
  if (session.get() === null) await readSession();
}

/** Return the page for those who have the right. */
export function guarded(Page: ComponentType, right: Right): ComponentType {
  return function Guarded() {
    return useMay(right) ? <Page /> : <Refused />;
  };
}

export function Landing() {
  const known = useValue(session);
  const places = usePlaces();
  useEffect(() => {
    void sessionRead();
  }, []);
  if (known === null) return null;
  const home = places.find(({ to }) => to === HOME) ?? places[0];
  return home && (known.auth === "off" || known.signed_in) ? <Navigate to={home.to} replace /> : <Refused />;
}

function why(known: SessionOut | null): { title: string; text: string } {
  if (known?.organisation == null && known?.organisations?.length) return { title: "You are not in this organisation any more", text: "It was closed, or you were removed. You are being moved to another one. The menu with your name has all of them." };
  if (known?.organisation == null) return { title: "You belong to no organisation", text: "Ask somebody to invite you, and open the link that you get." };
  if (known.second_factor?.lacking && known.second_factor.enabled) return { title: "Sign in again", text: "This organisation asks for a second factor, and this session was opened without it. Sign out and in again." };
  if (known.second_factor?.lacking) return { title: "A second factor is needed", text: "This organisation asks everybody for one. Set it up in your account: it takes an app and a minute." };
  return { title: "Your role does not allow this", text: `You are ${known.role ?? "no member"} of this organisation. An admin can change that.` };
}

function Refused() {
  const known = useValue(session);
  const [place] = usePlaces();
  const { title, text } = why(known);
  useTitle(title);
  // The account in the header leads to the sign-in.
  if (!known?.signed_in) return null;
  return (
    <div className="mx-auto w-full max-w-screen-md px-4 py-6">
      <h1 className="sr-only">{title}</h1>
      <div className="card">
        <Message icon="ban" title={title}>
          <p>{text}</p>
          <p className="mt-4 flex justify-center gap-2">
            {place && <ButtonLink to={place.to}>{place.label}</ButtonLink>}
            {!place && <ButtonLink to="/settings/account">Your account</ButtonLink>}
          </p>
        </Message>
      </div>
    </div>
  );
}
