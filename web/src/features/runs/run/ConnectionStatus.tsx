import { StateText, type ChipLook } from "@/components/Chip";
import type { ConnectionState } from "@/live/connection";
import { useConnection } from "@/live/context";
import { useValue } from "@/live/hooks";
import { reach } from "@/live/reach";

const LOOKS: Record<ConnectionState["name"], ChipLook> = {
  idle: { label: "Not connected", tone: "neutral", icon: "ring" },
  connecting: { label: "Connecting", tone: "neutral", icon: "ring" },
  live: { label: "Live", tone: "good", icon: "dot" },
  reconnecting: { label: "Reconnecting, updating by polling", tone: "warn", icon: "retry" },
  refused: { label: "Live feed refused, updating by polling", tone: "bad", icon: "alert" },
};

const QUIET: ReadonlySet<ConnectionState["name"]> = new Set(["idle", "connecting", "live"]);

const AWAY: ChipLook = { label: "The server does not answer", tone: "bad", icon: "alert" };

/** The state of the live feed. A run that is over only shows trouble: nothing is followed any more. */
export function ConnectionStatus({ over }: { over: boolean }) {
  const { isThere } = useValue(reach.state);
  const connection = useConnection();
  const state = useValue(connection.state);
  return (
    <span role="status" aria-label="Connection" className="inline-flex items-center gap-2 print:hidden">
      {!(over && isThere && QUIET.has(state.name)) && <StateText {...(isThere ? LOOKS[state.name] : AWAY)} />}
      {state.name === "refused" && (
        <button type="button" title={state.message} onClick={() => connection.retry()} className="font-medium text-accent underline underline-offset-2">
          Connect again
        </button>
      )}
    </span>
  );
}
