import { useState } from "react";
import { toProblem } from "@/lib/problem";

const CODE = { name: "code", label: "Code", autoComplete: "one-time-code", hint: "A code of your app, or a recovery code." } as const;

/** Return the field for the code of a second factor once the server has asked for one. */
export function useCode() {
  const [isAsked, setAsked] = useState(false);
  return {
    fields: isAsked ? [CODE] : [],
    /** Look whether a refusal asks for the code. */
    watch: <T extends { error?: unknown }>(answer: T): T => {
      if (answer.error !== undefined && toProblem(answer.error).title === "Second factor needed") setAsked(true);
      return answer;
    },
  };
}
