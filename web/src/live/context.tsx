/** The connection as a React context, so that tests can replace it. */

import { createContext, use, type ReactNode } from "react";
import type { Connection } from "./connection";

const ConnectionContext = createContext<Connection | null>(null);

export function LiveProvider({ connection, children }: { connection: Connection; children: ReactNode }) {
  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

export function useConnection(): Connection {
  const connection = use(ConnectionContext);
  if (!connection) throw new Error("LiveProvider is missing");
  return connection;
}
