import type { Reader } from '../../database/database.ts';
import { findPopular } from './queries.ts';
import type { WordChanges } from './set-changes.ts';

interface PrefixNode {
  prefix: string;
  /** One character shorter; null for the root, whose prefix is empty. */
  parent: PrefixNode | null;
  /** One character longer; null for prefixes that are not popular. */
  next: Map<string, PrefixNode | null>;
  /** Undefined before the first change. */
  row: WordChanges | undefined;
}

export interface PrefixPath {
  /** The longest popular prefix; the root if there is none. */
  longest: PrefixNode;
  /** The shortest prefix that is not popular; undefined if all are. */
  firstOther: string | undefined;
}

/** A merchant's popular prefixes. All shorter prefixes of a popular prefix are popular too. */
export class PrefixTree {
  readonly prefixes: Set<string>;
  readonly #root: PrefixNode = { prefix: '', parent: null, next: new Map(), row: undefined };
  /** Identifiers in a sequence begin alike, so a search starts where the last one ended. */
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

/** Longest first. */
export function* prefixesOf({ longest }: PrefixPath): Generator<PrefixNode> {
  for (let node = longest; node.parent !== null; node = node.parent) yield node;
}
