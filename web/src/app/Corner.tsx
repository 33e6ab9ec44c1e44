import type { ComponentProps } from "react";
import Account from "@/features/identity/Account";
import { Toasts } from "@/components/Toasts";
// The message of an error comes with this code: a server that does not answer sends none.
import "./RouteErrorMessage";
import { ServerAway } from "./ServerAway";
import { Shortcuts } from "./Shortcuts";
import { Stored } from "./Stored";
import { ThemeToggle } from "./ThemeToggle";

/** The corner of the header: shortcuts, theme and account; toasts and the banner of an outage float above the page. */
export default function Corner(props: ComponentProps<typeof Shortcuts>) {
  return (
    <Stored>
      <Shortcuts {...props} />
      <ThemeToggle />
      <Account />
      <Toasts />
      <ServerAway />
    </Stored>
  );
}
