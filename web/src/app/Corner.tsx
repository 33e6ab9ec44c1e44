import type { ComponentProps } from "react";
import Account from "@/features/identity/Account";
import { Toasts } from "@/components/Toasts";
// The message of an error comes with this code: a server that does not answer sends none.
import "./RouteErrorMessage";
import { Shortcuts } from "./Shortcuts";
import { ThemeToggle } from "./ThemeToggle";

/** The corner of the header: shortcuts, theme and account; toasts float above the page. */
export default function Corner(props: ComponentProps<typeof Shortcuts>) {
  return (
    <>
      <Shortcuts {...props} />
      <ThemeToggle />
      <Account />
      <Toasts />
    </>
  );
}
