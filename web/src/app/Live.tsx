import { Outlet } from "react-router";
import { liveUrl, StompConnection } from "@/live/connection";
import { LiveProvider } from "@/live/context";

// The one connection of the app. Only screens that live by it load its code; it outlives each of them.
const connection = new StompConnection(liveUrl(location));

export default function Live() {
  return (
    <LiveProvider connection={connection}>
      <Outlet />
    </LiveProvider>
  );
}
