import { IconButton } from "@/components/Button";
import type { IconName } from "@/components/Icon";
import { useTheme, type ThemeChoice } from "@/lib/theme";

const NEXT: Record<ThemeChoice, ThemeChoice> = { system: "light", light: "dark", dark: "system" };
const LOOKS: Record<ThemeChoice, { icon: IconName; label: string }> = {
  system: { icon: "system", label: "Theme: as the system" },
  light: { icon: "sun", label: "Theme: light" },
  dark: { icon: "moon", label: "Theme: dark" },
};

export function ThemeToggle() {
  const [choice, setChoice] = useTheme();
  return <IconButton {...LOOKS[choice]} onClick={() => setChoice(NEXT[choice])} />;
}
