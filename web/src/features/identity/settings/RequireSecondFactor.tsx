import { useChangeOrganisationMutation, useGetOrganisationQuery } from "@/api/identity";
import { CheckField } from "@/components/Field";
import { ProblemNote } from "@/components/Problem";
import { Section } from "@/components/Section";
import { Awaited } from "./Page";

/** Let an owner ask everybody for a second factor. */
export function RequireSecondFactor() {
  const query = useGetOrganisationQuery();
  const [change, changing] = useChangeOrganisationMutation();
  return (
    <Section title="Second factor">
      {!query.data ? <Awaited query={query} label="organisation" /> : (
        <div className="flex flex-col gap-3 px-4 py-3">
          <CheckField label="Everybody needs a second factor" hint="Members without one can do nothing here until they set it up. You need one of your own first. API keys keep working." checked={query.data.require_second_factor} disabled={changing.isLoading} onChange={(on) => void change({ organisationChange: { require_second_factor: on } })} />
          {changing.error !== undefined && <ProblemNote error={changing.error} />}
        </div>
      )}
    </Section>
  );
}
