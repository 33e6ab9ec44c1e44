import { buttonLook } from "@/components/Button";
import { Icon } from "@/components/Icon";
import { comparisonReportHref } from "@/lib/compare-link";

/** The link to the comparison as one HTML file, to send or to print. */
export function ReportLink({ query }: { query: readonly (readonly [string, string])[] }) {
  return (
    <a href={comparisonReportHref(query)} download className={buttonLook("plain")}>
      <Icon name="download" />
      Report in HTML
    </a>
  );
}
