import { expect, test } from "vitest";
import { placeholdersFor, placeholdersOf, templateFault } from "./request-template";

const request = { name: "request", kind: "object", description: "The body that is sent. Placeholders: {{question}}, {{messages}}, {{model}}.", example: {} };
const known = placeholdersFor(request);

test("the placeholders are those that the option's description names", () => {
  expect(known).toEqual(["question", "messages", "model"]);
  expect(placeholdersFor({ ...request, name: "chat_template_kwargs" })).toEqual([]);
});

test("what the service would refuse is said while it is typed", () => {
  expect(templateFault({ ask: "{{ question }}", deep: [{ by: "{{model}}" }] }, known)).toBeNull();
  expect(placeholdersOf({ ask: "{{ question }}", deep: [{ by: "{{model}} {{question}}" }] })).toEqual(["question", "model"]);
  expect(templateFault({ ask: "{{qestion}}" }, known)).toBe("{{qestion}} does not exist. Those are question, messages, model.");
  expect(templateFault({ by: "{{model}}" }, known)).toMatch(/no place for the question/);
  expect(templateFault({ "{{question}}": "{{question}}" }, known)).toMatch(/name of a field/);
});
