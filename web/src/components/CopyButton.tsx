import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "./Button";

interface Props {
  /** The button's label, such as `Copy the hash`. */
  label: string;
  text: () => string;
  iconOnly?: boolean;
}

/** Copy a text and confirm it briefly. Browsers offer no clipboard to pages loaded over plain HTTP from another machine. */
export function CopyButton({ label, text, iconOnly = false }: Props) {
  const [message, setMessage] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setMessage("Copied");
    } catch {
      setMessage("The browser blocked copying. Select the text and copy it yourself.");
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setMessage(null), 2000);
  };
  const icon = message === "Copied" ? "check" : "copy";
  if (iconOnly) return <IconButton icon={icon} label={message ?? label} onClick={() => void copy()} />;
  return (
    <Button icon={icon} onClick={() => void copy()}>
      {message ?? label}
    </Button>
  );
}
