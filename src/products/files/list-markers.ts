import type { HtmlElement } from './html-elements.ts';

const START = /^\s*[+-]?\d{1,7}\s*$/;
const ROMAN = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
] as const;

/**
 * Returns the markers of a list's items: `- `, or numbers according to its attributes. Numbers are indented
 * by a space, except in a nested list, which is indented already.
 */
export function listMarkers({ name, parent, attributes }: HtmlElement, count: number): string[] {
  if (name !== 'ol') return Array.from({ length: count }, () => '- ');
  const start = attributes.get('start') ?? '';
  const first = START.test(start) ? Number(start) : 1;
  const margin = parent === 'li' ? '' : ' ';
  return Array.from(
    { length: count },
    (_, index) => `${margin}${formatNumber(attributes.get('type'), first + index)}. `,
  );
}

function formatNumber(type: string | undefined, number: number): string {
  if (type === 'a' || type === 'A') return letters(number, type);
  if (type !== 'i' && type !== 'I') return String(number);
  return type === 'I' ? roman(number) : roman(number).toLowerCase();
}

/** Formats a number as a to z, then aa to zz, and so on. */
function letters(number: number, first: 'a' | 'A'): string {
  if (number < 1) return String(number);
  let text = '';
  for (let left = number; left > 0; left = Math.floor((left - 1) / 26)) {
    text = String.fromCharCode(first.charCodeAt(0) + ((left - 1) % 26)) + text;
  }
  return text;
}

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let text = '';
  let left = number;
  for (const [letter, value] of ROMAN) {
    for (; left >= value; left -= value) text += letter;
  }
  return text;
}
