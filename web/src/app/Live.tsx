import { Outlet } from "react-router";
import { readSession } from "@/api/session";
import { session } from "@/lib/rights";
import { liveUrl, StompConnection } from "@/live/connection";
import { LiveProvider } from "@/live/context";

/** The server closes the connection when the session has ended or has left its organisation. */
const onClose = () => {
  if (session.get()?.auth === "on") void readSession();
};

// The only connection of the app. Its code is loaded by the screens that need it, and it outlives each of them.
const connection = new StompConnection(liveUrl(location), onClose);

export default function Live() {
  return (
    <LiveProvider connection={connection}>
      <Outlet />
    </LiveProvider>
  );
}
