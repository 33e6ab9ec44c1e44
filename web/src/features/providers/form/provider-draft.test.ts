import { expect, test } from "vitest";
import { azureType, ollamaType, openAiType, provider } from "@/testing/config-samples";
import { draftOf, emptyDraft, keyHeader, missing, newHeader, newPrice, toProvider, toTest, withHeader, withKey, withType } from "./provider-draft";

const named = (type = openAiType) => ({ ...emptyDraft(type), name: "Mine" });

test("a key is sent in its header, with the scheme that people have not at hand", () => {
  expect(toProvider(withKey(named(), openAiType, "sk-1"), openAiType).headers).toEqual([{ header_key: "Authorization", is_secret: true, header_value: "Bearer sk-1" }]);
  expect(toProvider(withKey(named(), openAiType, "Basic abc"), openAiType).headers?.[0]?.header_value).toBe("Basic abc");
  expect(withKey(withKey(named(), openAiType, "sk-1"), openAiType, "").headers).toEqual([]);
});

test("a stored secret is left out, and so kept, until it is replaced", () => {
  const draft = draftOf(provider(), openAiType);
  expect(toProvider(draft, openAiType).headers).toEqual([
    { header_key: "Authorization", is_secret: true },
    { header_key: "OpenAI-Project", is_secret: false, header_value: "proj_1" },
  ]);
  expect(missing(draft, openAiType)).toEqual({});
  expect(toProvider(withKey(draft, openAiType, "sk-2"), openAiType).headers?.[0]?.header_value).toBe("Bearer sk-2");
  // It was stored under another name: it cannot be kept.
  const key = keyHeader(draft, openAiType)!;
  expect(Object.keys(missing(withHeader(draft, { ...key, name: "X-Key" }, key.id), openAiType))).toEqual(["headers.0.header_value"]);
});

test("another type brings its own defaults, and leaves what was typed", () => {
  const toAzure = withType(withKey(named(), openAiType, "sk-1"), openAiType, azureType);
  expect([toAzure.baseUrl, toAzure.headers[0]?.name]).toEqual(["", "api-key"]);
  expect(withType({ ...named(ollamaType), baseUrl: "http://gpu:11434" }, ollamaType, openAiType).baseUrl).toBe("http://gpu:11434");
  expect(withType(named(ollamaType), ollamaType, openAiType).baseUrl).toBe("https://api.openai.com");
});

test("endpoints of the type stay unsaid, others are kept", () => {
  expect(toProvider(draftOf(provider(), openAiType), openAiType).models_endpoint).toBeNull();
  expect(toProvider(draftOf(provider({ models_endpoint: "/list" }), openAiType), openAiType).models_endpoint).toBe("/list");
});

test("what is blank is not sent, what is half written is named by its path", () => {
  const draft = { ...named(azureType), name: " ", headers: [newHeader(), { ...newHeader(), name: "X-A" }], prices: [newPrice(), { ...newPrice(), model: "gpt" }] };
  expect(Object.keys(missing(draft, azureType))).toEqual(["base_url", "headers.0.header_value", "name", "prices.0.input_usd_per_million", "prices.0.output_usd_per_million"]);
  expect(toProvider(draft, azureType).prices).toHaveLength(1);
});

test("a test names the provider whose secrets it may use", () => {
  expect(toTest(draftOf(provider(), openAiType), openAiType, "provider-1")).toMatchObject({ id: "provider-1", headers: [{ header_key: "Authorization", is_secret: true }, {}] });
  expect(toTest(emptyDraft(ollamaType), ollamaType, null)).not.toHaveProperty("id");
});
