import type { Connection } from '../../database/database.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { recordCreations } from './block-times.ts';
import { changeFacets, type FacetFields, hasNewFacets } from './facets.ts';
import { type PrefixPath, PrefixTree, prefixesOf } from './prefix-tree.ts';
import { promotePrefixes } from './promote-prefixes.ts';
import { prefixRows, wordRows } from './queries.ts';
import { SetChanges, type WordChanges } from './set-changes.ts';
import { foldedParts, isFoundAsWritten, MAX_TITLE_WORDS, wordsOf, wordsOfPart } from './words.ts';

interface IndexedProduct extends Omit<FacetFields, 'variations'> {
  internal_id: number;
  identifier: string;
  title: string | null;
  created_at: string | null;
  variations: readonly { identifier: string }[];
}

/** `before` is undefined for a new product. */
interface IndexedChange {
  before: IndexedProduct | undefined;
  after: IndexedProduct;
}

/** One of this many products checks whether the prefixes of its new words have become popular. */
const PRODUCTS_PER_CHECK = 1_024;

/**
 * Updates the search index after the products and variations, in their transaction, which has locked the
 * merchant. Changes that no search notices, such as most changes of the stock, cost nothing.
 */
export async function indexProducts(
  connection: Connection,
  merchantId: number,
  all: readonly IndexedChange[],
): Promise<void> {
  const changes = all.filter(isNoticed);
  if (changes.length === 0) return;
  const words = new SetChanges();
  const prefixes = new SetChanges();
  for (const { before, after } of changes) changeFacets(prefixes, after.internal_id, before, after);
  const reworded = changes.filter(hasNewWords);
  const tree = reworded.length === 0 ? undefined : await PrefixTree.read(connection, merchantId);
  const candidates = new Set<string>();
  if (tree !== undefined) {
    const reader = new WordReader(tree, words);
    const products = new PrefixProducts(prefixes);
    const slices = new TimeSlices();
    for (const { before, after } of reworded) {
      await slices.pause();
      const id = after.internal_id;
      const { added, removed } = reader.changes(before, after);
      for (const { row } of removed) row?.remove(id);
      for (const { row } of added) row?.add(id);
      if (removed.length > 0) products.remove(id, removed, reader.allWords(after));
      for (const { path } of added) products.add(id, path);
      if (id % PRODUCTS_PER_CHECK !== 0) continue;
      for (const { path } of added) if (path.firstOther !== undefined) candidates.add(path.firstOther);
    }
  }
  await words.write(connection, wordRows, merchantId);
  await prefixes.write(connection, prefixRows, merchantId);
  await recordCreations(connection, merchantId, creations(changes));
  if (tree !== undefined) await promotePrefixes(connection, merchantId, tree.prefixes, candidates);
}

function isNoticed(change: IndexedChange): boolean {
  const { before, after } = change;
  return (
    before === undefined ||
    hasNewWords(change) ||
    hasNewFacets(before, after) ||
    before.created_at !== after.created_at
  );
}

function hasNewWords({ before, after }: IndexedChange): boolean {
  // Variations are never removed, and no identifier changes.
  return (
    before === undefined ||
    before.title !== after.title ||
    before.variations.length !== after.variations.length
  );
}

interface IndexedWord {
  word: string;
  /** The changes to its row in `search_words`; undefined if it is found without one. */
  row: WordChanges | undefined;
  path: PrefixPath;
}

class PrefixProducts {
  readonly #changes: SetChanges;

  constructor(changes: SetChanges) {
    this.#changes = changes;
  }

  add(id: number, path: PrefixPath): void {
    for (let node = path.longest; node.parent !== null; node = node.parent) {
      node.row ??= this.#changes.of(node.prefix);
      // Another word of the product has this prefix, and so all shorter ones.
      if (!node.row.add(id)) return;
    }
  }

  /** Removes a product from the popular prefixes of former words that none of its words has. */
  remove(id: number, former: readonly IndexedWord[], words: readonly IndexedWord[]): void {
    const kept = new Set(words.flatMap(({ path }) => [...prefixesOf(path)]));
    const removed = new Set(former.flatMap(({ path }) => [...prefixesOf(path)]));
    for (const node of removed.difference(kept)) this.#changes.of(node.prefix).remove(id);
  }
}

/** Remembers the words of titles, which repeat. */
class WordReader {
  readonly #tree: PrefixTree;
  readonly #rows: SetChanges;
  readonly #wordsOf = new Map<string, IndexedWord[]>();

  constructor(tree: PrefixTree, rows: SetChanges) {
    this.#tree = tree;
    this.#rows = rows;
  }

  /** Returns words that a product may not have had before, and words that it no longer has. */
  changes(
    before: IndexedProduct | undefined,
    after: IndexedProduct,
  ): { added: IndexedWord[]; removed: IndexedWord[] } {
    if (before === undefined) return { added: this.allWords(after), removed: [] };
    const identifiers = new Set(before.variations.map(({ identifier }) => identifier));
    const added: IndexedWord[] = [];
    for (const { identifier } of after.variations) {
      if (!identifiers.has(identifier)) this.#addIdentifier(added, identifier);
    }
    if (before.title === after.title) return { added, removed: [] };
    this.#addTitle(added, after.title);
    const kept = new Set(this.allWords(after).flatMap(({ word, row }) => (row === undefined ? [] : [word])));
    const former: IndexedWord[] = [];
    this.#addTitle(former, before.title);
    return { added, removed: former.filter(({ word }) => !kept.has(word)) };
  }

  allWords({ title, identifier, variations }: IndexedProduct): IndexedWord[] {
    const words: IndexedWord[] = [];
    this.#addTitle(words, title);
    this.#addIdentifier(words, identifier);
    for (const variation of variations) this.#addIdentifier(words, variation.identifier);
    return words;
  }

  #addTitle(words: IndexedWord[], title: string | null): void {
    let length = 0;
    for (const part of foldedParts(title ?? '')) {
      let found = this.#wordsOf.get(part);
      if (found === undefined) {
        found = wordsOfPart(part).map((word) => this.#indexed(word, true));
        this.#wordsOf.set(part, found);
      }
      for (const word of found) {
        length += word.word.length;
        if (length > MAX_TITLE_WORDS) return;
        words.push(word);
      }
    }
  }

  #addIdentifier(words: IndexedWord[], identifier: string): void {
    const parts = wordsOf(identifier);
    const hasRow = !isFoundAsWritten(identifier, parts);
    for (const word of parts) words.push(this.#indexed(word, hasRow));
  }

  #indexed(word: string, hasRow: boolean): IndexedWord {
    return { word, row: hasRow ? this.#rows.of(word) : undefined, path: this.#tree.pathOf(word) };
  }
}

function creations(changes: readonly IndexedChange[]) {
  return changes
    .filter(({ before, after }) => before?.created_at !== after.created_at)
    .map(({ before, after }) => ({
      internalId: after.internal_id,
      // As in the table of products.
      createdAt: after.created_at === null ? -1 : Date.parse(after.created_at),
      isNew: before === undefined,
    }));
}
