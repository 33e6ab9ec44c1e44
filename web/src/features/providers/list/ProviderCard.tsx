import { Link } from "react-router";
import { useTestProviderMutation } from "@/api/providers";
import type { ProviderOut } from "@/api/generated/config-api";
import { Button } from "@/components/Button";
import { Menu } from "@/components/Menu";
import { ProblemNote } from "@/components/Problem";
import { MISSING, plural } from "@/lib/format";
import { harmless } from "@/lib/plain-text";
import { ConnectionResult } from "../ConnectionResult";
import { shownValue } from "../header-words";

interface Props {
  provider: ProviderOut;
  typeTitle: string;
  onModels: () => void;
  onDelete: () => void;
}

export function ProviderCard({ provider, typeTitle, onModels, onDelete }: Props) {
  const [test, testing] = useTestProviderMutation();
  const name = harmless(provider.name);
  const options = Object.keys(provider.options);
  const edit = `/providers/${provider.id}`;
  return (
    <li className="card flex min-w-0 flex-col">
      <div className="flex items-start gap-2 px-4 pt-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold wrap-anywhere">
            <Link to={edit} className="hover:text-accent">{name}</Link>
          </h2>
          <p className="text-xs text-ink-2">{typeTitle}</p>
        </div>
        <Menu
          label={`More about ${name}`}
          icon="more"
          iconOnly
          entries={[
            { label: "Edit", icon: "pencil", right: "providers:update", to: edit },
            { label: "Delete…", icon: "trash", danger: true, right: "providers:delete", onSelect: onDelete },
          ]}
        />
      </div>
      <dl className="grid flex-1 grid-cols-[auto_minmax(0,1fr)] content-start gap-x-4 gap-y-1 px-4 py-3">
        <dt className="text-ink-3">URL</dt>
        <dd className="truncate font-mono text-xs leading-5" title={provider.base_url}>{provider.base_url}</dd>
        <dt className="text-ink-3">Headers</dt>
        <dd className="min-w-0">
          {provider.headers.length === 0 && MISSING}
          {provider.headers.slice(0, 4).map((one) => (
            <div key={one.header_key} className="truncate font-mono text-xs leading-5">
              {one.header_key}: <span className="text-ink-2">{shownValue(one)}</span>
            </div>
          ))}
          {provider.headers.length > 4 && <div className="text-xs text-ink-3">and {provider.headers.length - 4} more</div>}
        </dd>
        <dt className="text-ink-3">Options</dt>
        <dd className="truncate" title={options.join(", ")}>{options.length > 0 ? harmless(options.join(", ")) : MISSING}</dd>
        <dt className="text-ink-3">Prices</dt>
        <dd>{provider.prices.length > 0 ? `your own for ${plural(provider.prices.length, "model")}` : "none of your own"}</dd>
      </dl>
      <div className="flex flex-col gap-3 border-t border-line px-4 py-3">
        <div className="flex flex-wrap gap-2">
          <Button icon="link" right="providers:create" disabled={testing.isLoading} aria-label={`Test connection of ${name}`} onClick={() => void test({ id: provider.id })}>
            {testing.isLoading ? "Asking…" : "Test connection"}
          </Button>
          <Button aria-label={`Models of ${name}`} onClick={onModels}>
            Models
          </Button>
        </div>
        {testing.data && !testing.isLoading && <ConnectionResult test={testing.data} />}
        {testing.error && !testing.isLoading && <ProblemNote error={testing.error} />}
      </div>
    </li>
  );
}
