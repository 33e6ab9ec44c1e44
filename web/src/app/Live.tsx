import { Outlet } from "react-router";
import { liveUrl, StompConnection } from "@/live/connection";
import { LiveProvider } from "@/live/context";

// The only connection of the app. Its code is loaded by the screens that need it, and it outlives each of them.
const connection = new StompConnection(liveUrl(location));

export default function Live() {
  return (
    <LiveProvider connection={connection}>
      <Outlet />
    </LiveProvider>
  );
}
