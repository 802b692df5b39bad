/** The maximum length of a title's words together, in UTF-16 code units. Words may overlap. */
export const MAX_TITLE_WORDS = 10_000;
/** Words are compared by their first characters, so that no word is too long for an index. */
const MAX_WORD = 100;

const VISIBLE_ASCII = /^[!-~]+$/;
const NOT_ASCII = /[\u0080-\uffff]/;
const MARKS = /\p{M}/gu;
const SPACE = /\s/;
const SPACES = /\s+/;
/** U+10FFFF is the upper bound of ranges of words. */
const NOT_IN_WORDS = /[\s\u{10ffff}]/gu;
const ALPHANUMERIC = /[\p{L}\p{N}]/u;
/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * Decomposes text (NFKD), removes combining marks and folds case: “Straße”, “STRASSE” and “strasse” are
 * equal, as are “ΟΔΟΣ” and “οδος”. The start of a folded text is the folded start of the text.
 */
function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  // Upper case turns ß into SS and ı into I. Lower case comes first because ẞ has no other upper case.
  const cased = withoutMarks(text).toLowerCase().toUpperCase().toLowerCase();
  // Lower case depends on the position of Σ in its word.
  return withoutMarks(cased).replaceAll('ς', 'σ');
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '');
}

/** Returns the words of a query or an identifier: its folded parts between spaces. */
export function wordsOf(text: string): string[] {
  return foldedParts(text).map(truncate);
}

/**
 * Whether the indexes of products and variations find an identifier: it is its only word, as it is or in
 * upper case. So most identifiers need no further rows.
 */
export function isFoundAsWritten(identifier: string, [word, ...others]: readonly string[]): boolean {
  if (word === undefined || others.length > 0) return false;
  return word === identifier || upperCase(word) === identifier;
}

/** Returns undefined for characters other than ASCII. */
export function upperCase(word: string): string | undefined {
  return NOT_ASCII.test(word) ? undefined : word.toUpperCase();
}

/**
 * Returns the words of a part of a title. A word begins at the start, at a letter or digit after another
 * character, and at each character of a script without spaces. It ends at the end of the part, so “T-Shirt”
 * has the words “t-shirt” and “shirt”. Words beyond `MAX_TITLE_WORDS` are left out.
 */
export function wordsOfPart(part: string): string[] {
  const words = new Set<string>();
  let wasAlphanumeric = true;
  let start = 0;
  let length = 0;
  for (const character of part) {
    const isAlphanumeric = ALPHANUMERIC.test(character);
    if (start === 0 || (isAlphanumeric && !wasAlphanumeric) || UNSPACED.test(character)) {
      const word = truncate(part.slice(start));
      length += word.length;
      if (length > MAX_TITLE_WORDS) break;
      words.add(word);
    }
    wasAlphanumeric = isAlphanumeric;
    start += character.length;
  }
  return [...words];
}

/** Returns the folded parts of a text between spaces. For titles, `wordsOfPart` returns their words. */
export function foldedParts(text: string): string[] {
  // Most identifiers.
  if (VISIBLE_ASCII.test(text)) return [text.toLowerCase()];
  if (!SPACE.test(text)) return foldedPart(text);
  return text.split(SPACES).flatMap(foldedPart);
}

function foldedPart(part: string): string[] {
  const folded = fold(part);
  // Some compatibility forms contain spaces.
  const word = NOT_ASCII.test(part) ? folded.replace(NOT_IN_WORDS, '') : folded;
  return word === '' ? [] : [word];
}

function truncate(word: string): string {
  // A character has one or two code units, so most words do not have to be split into characters.
  if (word.length <= MAX_WORD) return word;
  return [...word.slice(0, 2 * MAX_WORD)].slice(0, MAX_WORD).join('');
}
