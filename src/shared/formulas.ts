import { JSON_NUMBER } from './numbers.ts';

/**
 * Characters that start a formula, including full-width forms, wherever a spreadsheet may start a cell: at the
 * beginning, and after whitespace, invisible characters, quotes and all usual delimiters. An apostrophe between makes
 * them text, and is counted too, so that `unescapeFormulas` can tell it from one that `escapeFormulas` adds.
 */
const FORMULA = /(?<=^|[\s\p{C}\p{Z},;|:"“”„«»])'*[=+\-@＝＋－＠]/gu;
const ESCAPED_FORMULA = /(?<=^|[\s\p{C}\p{Z},;|:"“”„«»])'('*[=+\-@＝＋－＠])/gu;
/** Some spreadsheets drop these characters and interpret the rest. */
const LEADING_CONTROL = /^'*[\t\r]/;
const ESCAPED_CONTROL = /^'('*[\t\r])/;

/** Puts an apostrophe before each character that a spreadsheet could take as the start of a formula, except in numbers. */
export function escapeFormulas(text: string): string {
  if (JSON_NUMBER.test(text)) return text;
  return text.replace(FORMULA, "'$&").replace(LEADING_CONTROL, "'$&");
}

/** Returns the text from which `escapeFormulas` made this one. */
export function unescapeFormulas(text: string): string {
  return text.includes("'") ? text.replace(ESCAPED_CONTROL, '$1').replace(ESCAPED_FORMULA, '$1') : text;
}
