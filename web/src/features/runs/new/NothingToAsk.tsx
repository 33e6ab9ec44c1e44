import { ButtonLink } from "@/components/Button";
import { Message } from "@/components/Message";

/** The page of a new run as long as there is no provider. */
export default function NothingToAsk() {
  return (
    <div className="card">
      <Message icon="spark" title="There is no provider yet">
        <p>A run asks models of a provider: an OpenAI-compatible server, Ollama, LM Studio, or a service in the cloud. Add one first, then come back.</p>
        <p className="mt-4 flex justify-center">
          <ButtonLink right="providers:create" to="/providers/new" icon="plus" kind="primary">Add a provider</ButtonLink>
        </p>
      </Message>
    </div>
  );
}
