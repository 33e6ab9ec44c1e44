import { useRouteError } from "react-router";
import { Button } from "@/components/Button";
import { Message } from "@/components/Message";

/** Catches what a screen throws, and a screen whose code cannot be loaded (a new version was installed). */
export function RouteError() {
  const error = useRouteError();
  return (
    <main role="alert">
      <h1 className="sr-only">Error</h1>
      <Message icon="alert" title="This page stopped working">
        <p>{error instanceof Error ? error.message : "No reason was given."}</p>
        <Button icon="retry" className="mt-4" onClick={() => location.reload()}>
          Load it again
        </Button>
      </Message>
    </main>
  );
}
