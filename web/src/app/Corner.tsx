import type { ComponentProps } from "react";
import Account from "@/features/identity/Account";
import { Toasts } from "@/components/Toasts";
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
