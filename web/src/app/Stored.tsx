import type { ReactNode } from "react";
import { Provider } from "react-redux";
import { Outlet } from "react-router";
import { createStore } from "./store";

// The only store of the app. Its code is loaded together with the first screen: header and navigation do not need it.
const store = createStore();

/** Give what is inside access to the store. */
export function Stored({ children }: { children: ReactNode }) {
  return <Provider store={store}>{children}</Provider>;
}

/** The layout of every screen. */
export default function StoredScreens() {
  return (
    <Stored>
      <Outlet />
    </Stored>
  );
}
