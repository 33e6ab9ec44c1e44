import { expect, test } from "vitest";
import api from "../../../openapi/config-api.json";
import { SETTINGS } from "./preset-settings";

test("the form has the settings of the API, with its bounds and defaults", () => {
  const settings = Object.entries(api.components.schemas.EvaluationSettings.properties);
  const wanted = settings.map(([name, { minimum, maximum, default: usual }]) => ({ name, min: minimum, max: maximum, usual }));
  expect(SETTINGS.map(({ name, min, max, usual }) => ({ name, min, max, usual }))).toEqual(wanted);
});
