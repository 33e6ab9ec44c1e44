import { Button } from "@/components/Button";
import { Message } from "@/components/Message";

/** The message of RouteError. It is loaded soon after the first paint: a server that does not answer sends no code. */
export default function RouteErrorMessage({ isMissing, error }: { isMissing: boolean; error: unknown }) {
  return (
    <Message icon="alert" title={isMissing ? "This page could not be loaded" : "This page stopped working"}>
      <p>{isMissing ? "It opens automatically once the server answers." : error instanceof Error ? error.message : "Load the page again. If it stops again, report it."}</p>
      <Button icon="retry" className="mt-4" onClick={() => location.reload()}>
        Load it again
      </Button>
    </Message>
  );
}
