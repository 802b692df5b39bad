import type { Reader } from '../database.ts';
import { findPopular } from './queries.ts';
import type { WordChanges } from './set-changes.ts';

/** A popular prefix, and what is known of longer ones. */
export interface PrefixNode {
  prefix: string;
  /** The node of the prefix that is one character shorter; null for the root, whose prefix is empty. */
  parent: PrefixNode | null;
  /** The nodes of the prefixes that are one character longer; null for those that are not popular. */
  next: Map<string, PrefixNode | null>;
  /** The changes to its rows; undefined before the first one. */
  row: WordChanges | undefined;
}

/** Where the prefixes of a word end to be popular. */
export interface PrefixPath {
  /** The longest popular prefix; the root if there is none. */
  longest: PrefixNode;
  /** The word's shortest prefix that is not popular; undefined if all are. */
  firstOther: string | undefined;
}

/** A merchant's popular prefixes. All shorter prefixes of a popular prefix are popular too. */
export class PrefixTree {
  readonly prefixes: Set<string>;
  readonly #root: PrefixNode = { prefix: '', parent: null, next: new Map(), row: undefined };
  /** Identifiers that follow each other often begin alike, so a search starts where the one before ended. */
  #last = this.#root;

  private constructor(prefixes: Set<string>) {
    this.prefixes = prefixes;
  }

  static async read(reader: Reader, merchantId: number): Promise<PrefixTree> {
    const row = await reader.first(findPopular, { merchantId });
    // Only this service writes the column.
    return new PrefixTree(new Set(row === undefined ? [] : (JSON.parse(row.prefixes) as string[])));
  }

  pathOf(word: string): PrefixPath {
    let node = word.startsWith(this.#last.prefix) ? this.#last : this.#root;
    for (let end = node.prefix.length; end < word.length; end = node.prefix.length) {
      const character = String.fromCodePoint(word.codePointAt(end) ?? 0);
      let next = node.next.get(character);
      if (next === undefined) {
        const prefix = node.prefix + character;
        next = this.prefixes.has(prefix) ? { prefix, parent: node, next: new Map(), row: undefined } : null;
        node.next.set(character, next);
      }
      if (next === null) {
        this.#last = node;
        return { longest: node, firstOther: node.prefix + character };
      }
      node = next;
    }
    this.#last = node;
    return { longest: node, firstOther: undefined };
  }
}

/** Yields the popular prefixes that a path passes, longest first. */
export function* prefixesOf({ longest }: PrefixPath): Generator<PrefixNode> {
  for (let node = longest; node.parent !== null; node = node.parent) yield node;
}
