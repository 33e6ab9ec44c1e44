import { Link } from "react-router";
import { Message } from "@/components/Message";
import { useTitle } from "@/lib/use-title";

export default function NotFound() {
  useTitle("Not found");
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <Message icon="ring" title="There is nothing at this address">
        <p>
          The link may be old or mistyped.{" "}
          <Link to="/runs" className="font-medium text-accent underline underline-offset-2">
            Go to the runs
          </Link>
          .
        </p>
      </Message>
    </>
  );
}
