import { NONE, type OrderedTrees } from './ordered-trees.ts';

/**
 * Reads a tree in the order of descending keys. Nodes with equal keys are read as a circle: from the first
 * hash at or after `start`, and after the highest hash from the lowest.
 */
export class Circle {
  readonly #trees: OrderedTrees;
  readonly #root: number;
  readonly #start: number;
  readonly #hashOf: (node: number) => number;
  #hasWrapped = false;
  node: number;

  constructor(trees: OrderedTrees, root: number, start: number, hashOf: (node: number) => number) {
    this.#trees = trees;
    this.#root = root;
    this.#start = start;
    this.#hashOf = hashOf;
    this.node = root === NONE ? NONE : this.#begin(trees.first(root));
  }

  /** Goes to the next node, which is `NONE` after the last. */
  advance(): void {
    const key = this.#trees.key(this.node);
    const next = this.#trees.from(this.#root, key, this.#hashOf(this.node), this.node);
    if (next !== NONE && this.#trees.key(next) === key && this.#isInTurn(next)) this.node = next;
    else this.node = this.#hasWrapped ? this.#below(key) : this.#wrap(key);
  }

  /** Returns the node where the circle of a node's key begins. */
  #begin(first: number): number {
    if (first === NONE) return NONE;
    const key = this.#trees.key(first);
    const node = this.#trees.from(this.#root, key, this.#start);
    this.#hasWrapped = node === NONE || this.#trees.key(node) !== key;
    return this.#hasWrapped ? first : node;
  }

  #wrap(key: number): number {
    this.#hasWrapped = true;
    const first = this.#trees.from(this.#root, key, 0);
    return this.#isInTurn(first) ? first : this.#below(key);
  }

  #below(key: number): number {
    return this.#begin(this.#trees.below(this.#root, key));
  }

  #isInTurn(node: number): boolean {
    return !this.#hasWrapped || this.#hashOf(node) < this.#start;
  }
}
