import { foldedParts } from '../../products/search-index/words.ts';

const MAX_WORDS = 20;
/** A letter of a script without spaces between words, or letters and digits of others. */
const WORD = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{N}])+/gu;

/** Returns the folded words of a name: letters and digits between other characters, each word once. */
export function nameWords(name: string): string[] {
  const words = foldedParts(name).flatMap((part) => part.match(WORD) ?? []);
  return [...new Set(words)].slice(0, MAX_WORDS);
}
