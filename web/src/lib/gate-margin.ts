/**
 * Return what the server says of a gate with its margins in points, as the screens have them: "a margin of 5 points"
 * for the API's `0.05`. Margins in percent are left as they are.
 */
export const inPoints = <T>(said: T): T =>
  said === undefined ? said : (JSON.parse(JSON.stringify(said).replace(/\bmargin of (0\.\d+)/g, (_, margin: string) => `margin of ${Number((Number(margin) * 100).toFixed(1))} points`)) as T);
