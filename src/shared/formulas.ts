import { JSON_NUMBER } from './numbers.ts';

/**
 * Characters that start a formula, also full-width, wherever a spreadsheet may start a cell: at the
 * beginning, and after whitespace, invisible characters, quotes and usual delimiters. Apostrophes between
 * make it text. They are counted, so that `unescapeFormulas` can tell them from an added one.
 */
const FORMULA = /(?<=^|[\s\p{C}\p{Z},;|:"“”„«»])'*[=+\-@＝＋－＠]/gu;
const ESCAPED_FORMULA = /(?<=^|[\s\p{C}\p{Z},;|:"“”„«»])'('*[=+\-@＝＋－＠])/gu;
/** Some spreadsheets drop these characters and interpret the rest. */
const LEADING_CONTROL = /^'*[\t\r]/;
const ESCAPED_CONTROL = /^'('*[\t\r])/;

/** Puts an apostrophe before each character that could start a formula, except in numbers. */
export function escapeFormulas(text: string): string {
  if (JSON_NUMBER.test(text)) return text;
  return text.replace(FORMULA, "'$&").replace(LEADING_CONTROL, "'$&");
}

export function unescapeFormulas(text: string): string {
  return text.includes("'") ? text.replace(ESCAPED_CONTROL, '$1').replace(ESCAPED_FORMULA, '$1') : text;
}
