/** Where a part of a label begins and ends. */
export type Mark = readonly [start: number, end: number];

export interface Match {
  /** From 0 to 100: how well the text matches. */
  score: number;
  /** The matched parts, in order. */
  marks: readonly Mark[];
}

/** At least this score has a label that has each word of the text at the start of a word. */
export const STRONG = 80;

const WHOLE = 100;
const START = 92;
const WORD_START = 84;
/** Of several words: each has the lowest score of the kind, and they need not be beside each other. */
const WORDS_APART = 2;
const INITIALS = 64;
const WITHIN = 50;
const WITH_GAPS = 34;
/** Shorter texts are in too many words. */
const MIN_WITHIN = 2;
const MIN_WITH_GAPS = 4;
/** What a label loses for each of its first lengths of this many characters. */
const LENGTH_COST = 0.5;
const LENGTH = 20;
const MAX_LENGTHS = 4;
const MAX_TEXT = 60;
/** As many words of a label are looked at for their beginnings. */
const MAX_WORDS = 24;

/**
 * Finds a text in a label, whatever the case and the accents: at the start of a word, as the beginnings of
 * several words (“apk” in “API keys”), within a word, or with letters of one word left out (“cmpaign”). Each
 * word of the text needs a place. Returns undefined if one has none.
 */
export function fuzzyMatch(label: string, text: string): Match | undefined {
  const folded = fold(label);
  const sought = fold(text.slice(0, MAX_TEXT)).trim();
  if (sought === '') return text.trim() === '' ? { score: 0, marks: [] } : undefined;
  const starts = wordStarts(label, folded);
  const cost = LENGTH_COST * Math.min(MAX_LENGTHS, Math.floor(label.length / LENGTH));
  const words = sought.split(/\s+/);
  const whole = words.length > 1 ? findRun(folded, starts, sought) : findWord(folded, starts, sought);
  if (whole !== undefined) return { score: whole.score - cost, marks: whole.marks };
  if (words.length === 1) return undefined;
  const found: Match[] = [];
  for (const word of words) {
    const match = findWord(folded, starts, word);
    if (match === undefined) return undefined;
    found.push(match);
  }
  const score = Math.min(WORD_START, ...found.map((match) => match.score)) - WORDS_APART - cost;
  return { score, marks: merge(found.flatMap(({ marks }) => marks)) };
}

/** Finds a text that is the label, or begins where one of its words begins. */
function findRun(label: string, starts: readonly number[], text: string): Match | undefined {
  if (label === text) return matchAt(WHOLE, 0, text.length);
  if (label.startsWith(text)) return matchAt(START, 0, text.length);
  const atStart = starts.find((start) => label.startsWith(text, start));
  return atStart === undefined ? undefined : matchAt(WORD_START, atStart, text.length);
}

function findWord(label: string, starts: readonly number[], word: string): Match | undefined {
  const run = findRun(label, starts, word);
  if (run !== undefined) return run;
  const initials = findInitials(label, starts.slice(0, MAX_WORDS), word);
  if (initials !== undefined) return { score: INITIALS, marks: merge(initials) };
  const within = word.length < MIN_WITHIN ? -1 : label.indexOf(word);
  if (within >= 0) return matchAt(WITHIN, within, word.length);
  const gaps = findWithGaps(label, starts, word);
  return gaps && { score: WITH_GAPS, marks: merge(gaps) };
}

function matchAt(score: number, start: number, length: number): Match {
  return { score, marks: [[start, start + length]] };
}

/** Finds a text as the beginnings of words that follow each other, of which some may be left out. */
function findInitials(label: string, starts: readonly number[], text: string): Mark[] | undefined {
  /** Places from which the rest of the text was sought in vain. */
  const failed = new Set<string>();
  const from = (at: number, first: number): Mark[] | undefined => {
    if (at === text.length) return [];
    const key = `${at} ${first}`;
    if (failed.has(key)) return undefined;
    for (const [index, start] of starts.entries()) {
      if (index < first) continue;
      for (let length = commonLength(label, start, text, at); length > 0; length -= 1) {
        const rest = from(at + length, index + 1);
        if (rest !== undefined) return [[start, start + length], ...rest];
      }
    }
    failed.add(key);
    return undefined;
  };
  return from(0, 0);
}

function commonLength(label: string, start: number, text: string, at: number): number {
  let length = 0;
  while (
    at + length < text.length &&
    label[start + length] === text[at + length] &&
    // Words that follow each other are other beginnings.
    isWordCharacter(text[at + length] ?? '')
  )
    length += 1;
  return length;
}

/** Finds a word of the label that begins with the text's first letter and has the others in order. */
function findWithGaps(label: string, starts: readonly number[], text: string): Mark[] | undefined {
  if (text.length < MIN_WITH_GAPS) return undefined;
  for (const start of starts) {
    const marks: Mark[] = [];
    let at = start;
    for (const letter of text) {
      while (at < label.length && label[at] !== letter && isWordCharacter(label[at] ?? '')) at += 1;
      if (label[at] !== letter || (marks.length === 0 && at !== start)) break;
      marks.push([at, at + 1]);
      at += 1;
    }
    if (marks.length === text.length) return marks;
  }
  return undefined;
}

/** Joins marks that touch or overlap, in order. */
function merge(marks: readonly Mark[]): Mark[] {
  const merged: [number, number][] = [];
  for (const [start, end] of marks.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** Where words begin, also within “listProducts”. */
function wordStarts(label: string, folded: string): number[] {
  const starts: number[] = [];
  for (let index = 0; index < folded.length; index += 1) {
    if (!isWordCharacter(folded[index] ?? '')) continue;
    const before = label[index - 1] ?? '';
    if (!isWordCharacter(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(label[index] ?? '')))
      starts.push(index);
  }
  return starts;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** Returns a text in lower case, without accents and with spaces between words, with as many characters. */
function fold(text: string): string {
  return Array.from({ length: text.length }, (_, index) => {
    const character = text.charAt(index);
    if (!isWordCharacter(character) && !/\p{Cs}/u.test(character)) return ' ';
    const folded = character.normalize('NFD').charAt(0).toLowerCase();
    return folded.length === 1 ? folded : character;
  }).join('');
}
