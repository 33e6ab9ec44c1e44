/** Select the errors of form fields: values missing here and those that the server refused. */

/** Return the part of a body at a dotted path. */
function valueAt(body: unknown, path: string): unknown {
  let value = body;
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/** Return the server's errors about `sent` that still hold for the current form `now`. */
export function stillTrue(fields: Readonly<Record<string, string>>, sent: unknown, now: unknown): Record<string, string> {
  const held = Object.entries(fields).filter(([path]) => JSON.stringify(valueAt(sent, path)) === JSON.stringify(valueAt(now, path)));
  return Object.fromEntries(held);
}

/** Return the first error at one of the paths. */
export function errorAt(errors: Readonly<Record<string, string>>, ...paths: string[]): string | undefined {
  return paths.map((path) => errors[path]).find((message) => message !== undefined);
}

/** Return every error at a path or below it. */
export function errorsUnder(errors: Readonly<Record<string, string>>, path: string): string[] {
  return Object.entries(errors)
    .filter(([field]) => field === path || field.startsWith(`${path}.`))
    .map(([, message]) => message);
}
