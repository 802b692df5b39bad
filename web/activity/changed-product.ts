import { fieldLabel } from './change-words.ts';

/** Names that lists of fields give other words than the form's inputs have. */
const words: Record<string, string> = { available_quantity: 'stock', quantity: 'stock' };

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Reads the subject of a `product.changed` entry, such as `SKU-1: title, quantity`: its fields in words. */
export function readChangedProduct(subject: string): { product: string; fields: string } {
  // An identifier may contain the separator, and the name of a field cannot.
  const end = subject.lastIndexOf(': ');
  return { product: subject.slice(0, end), fields: fieldsInWords(subject.slice(end + 2).split(', ')) };
}

/** Returns names of fields as a list in a sentence, such as `title and stock`. */
export function fieldsInWords(names: readonly string[]): string {
  return list.format(new Set(names.map((name) => words[name] ?? inSentence(fieldLabel(name)))));
}

/** Returns a label without its capital letter, unless it begins with an abbreviation. */
function inSentence(label: string): string {
  return /^[A-Z][A-Z]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}
