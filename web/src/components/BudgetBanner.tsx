import { useGetBudgetQuery } from "@/api/usage";
import { Icon } from "./Icon";

/** Warn when the organisation's budget of this month is nearly spent or spent; empty otherwise. */
export default function BudgetBanner() {
  const { data } = useGetBudgetQuery(undefined, { refetchOnMountOrArgChange: true });
  if (data?.message == null) return null;
  const isSpent = data.state === "spent";
  return (
    <p role={isSpent ? "alert" : "status"} className={`flex items-start gap-2 rounded-md border px-4 py-2.5 ${isSpent ? "border-bad bg-bad-soft text-bad" : "border-warn bg-warn-soft text-warn"}`}>
      <Icon name="alert" className="mt-0.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{data.message}</span>
    </p>
  );
}
