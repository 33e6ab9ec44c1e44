/** Error messages name fields and values of the API: replace them by the labels in the form. */

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/Send `(?:config\.)?check_providers: false` to start without asking for the models/g, "Clear the box “Check first that …” to start without this check"],
  [/or set allow_self_judging if that is what you want/g, "or tick “Let it judge its own answers”"],
  [/is missing; where another column has it, say so: map <column>=(\w+)/g, "is missing. If another column holds it, assign that column as $1"],
  [/Name the right one with map=<column>=expected_output/g, "If one of them holds the expected output, upload the file again and assign that column"],
];

/** Return a message of the API in the words of the forms. */
export function forForm(message: string): string {
  return WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), message);
}
