/** Return the `If-Match` header of the read version. */
export const matching = (resource: { version: number }) => `"${resource.version}"`;
