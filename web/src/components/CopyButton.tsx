import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "./Button";

interface Props {
  /** The button's label, such as `Copy the hash`. */
  label: string;
  text: () => string;
  iconOnly?: boolean;
}

/** Into the clipboard, and for a moment it says so. Browsers have none on pages that came over plain HTTP from elsewhere. */
export function CopyButton({ label, text, iconOnly = false }: Props) {
  const [said, setSaid] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid("Copied");
    } catch {
      setSaid("The browser blocked copying. Select the text and copy it yourself.");
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(null), 2000);
  };
  const icon = said === "Copied" ? "check" : "copy";
  if (iconOnly) return <IconButton icon={icon} label={said ?? label} onClick={() => void copy()} />;
  return (
    <Button icon={icon} onClick={() => void copy()}>
      {said ?? label}
    </Button>
  );
}
