import { useState } from "react";
import type { Field } from "@/api/generated/config-api";
import { Disclosure } from "@/components/Disclosure";
import { Questions } from "../work/Questions";
import { askedLabels, type Labels } from "../words";

/** The questions as people see them, to be tried out. */
export function Preview({ fields }: { fields: readonly Field[] }) {
  const [labels, setLabels] = useState<Labels>({});
  const [active, setActive] = useState(0);
  return (
    <div className="border-t border-line px-4 py-2">
      <Disclosure title="Preview" summary="the questions as people see them">
        <Questions fields={fields} labels={askedLabels(fields, labels)} answer={null} active={active} faults={{}} onActive={setActive} onChange={(name, value) => setLabels((now) => ({ ...now, [name]: value }))} />
      </Disclosure>
    </div>
  );
}
