const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Return whether a text from the address or a form is an id, not a name. */
export const isUuid = (text: string): boolean => UUID.test(text);
