import { mix } from './turns.ts';

/** No node. */
export const NONE = -1;

/**
 * Any number of search trees of the same numbered nodes, each in the order of descending keys, then ascending
 * hashes, then numbers. A node takes 16 bytes, and each operation a time that grows with the logarithm of the
 * size of its tree (they are treaps). A tree is the number of its root; the functions return the new root.
 */
export class OrderedTrees {
  #keys = new Float64Array(0);
  #left = new Int32Array(0);
  #right = new Int32Array(0);
  /** Does not change while a node is in a tree. */
  readonly #hashOf: (node: number) => number;

  constructor(hashOf: (node: number) => number) {
    this.#hashOf = hashOf;
  }

  /** Makes room for nodes with numbers below `capacity`. */
  resize(capacity: number): void {
    this.#keys = new Float64Array(this.#keys.buffer.transfer(capacity * 8));
    this.#left = new Int32Array(this.#left.buffer.transfer(capacity * 4));
    this.#right = new Int32Array(this.#right.buffer.transfer(capacity * 4));
  }

  /** -1 for `NONE`. */
  key(node: number): number {
    return this.#keys[node] ?? -1;
  }

  insert(root: number, node: number, key: number): number {
    this.#keys[node] = key;
    this.#left[node] = NONE;
    this.#right[node] = NONE;
    return this.#insert(root, node);
  }

  remove(root: number, node: number): number {
    if (root === node) return this.#join(this.#leftOf(root), this.#rightOf(root));
    if (root === NONE) throw new Error(`node ${node} is not in the tree`);
    if (this.#isBefore(node, root)) this.#left[root] = this.remove(this.#leftOf(root), node);
    else this.#right[root] = this.remove(this.#rightOf(root), node);
    return root;
  }

  /** The node with the highest key. */
  first(root: number): number {
    let node = root;
    for (let next = node; next !== NONE; next = this.#leftOf(node)) node = next;
    return node;
  }

  /** The first node with this key and at least this hash, or with a lower key; after `after` if given. */
  from(root: number, key: number, hash: number, after: number = NONE): number {
    let found = NONE;
    let node = root;
    while (node !== NONE) {
      if (this.#isReached(node, key, hash, after)) {
        found = node;
        node = this.#leftOf(node);
      } else node = this.#rightOf(node);
    }
    return found;
  }

  /** The first node with a lower key. */
  below(root: number, key: number): number {
    let found = NONE;
    let node = root;
    while (node !== NONE) {
      if (this.key(node) < key) {
        found = node;
        node = this.#leftOf(node);
      } else node = this.#rightOf(node);
    }
    return found;
  }

  /** All nodes with a key, in any order. */
  withKey(root: number, key: number): number[] {
    const found: number[] = [];
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node === NONE) continue;
      const own = this.key(node);
      if (own === key) found.push(node);
      if (own >= key) open.push(this.#rightOf(node));
      if (own <= key) open.push(this.#leftOf(node));
    }
    return found;
  }

  /** All nodes, in any order. */
  nodes(root: number): number[] {
    const nodes = root === NONE ? [] : [root];
    for (let at = 0; at < nodes.length; at++)
      for (const child of [this.#leftOf(nodes[at] ?? NONE), this.#rightOf(nodes[at] ?? NONE)])
        if (child !== NONE) nodes.push(child);
    return nodes;
  }

  #insert(root: number, node: number): number {
    if (root === NONE) return node;
    if (mix(node) > mix(root)) {
      this.#split(root, node);
      return node;
    }
    if (this.#isBefore(node, root)) this.#left[root] = this.#insert(this.#leftOf(root), node);
    else this.#right[root] = this.#insert(this.#rightOf(root), node);
    return root;
  }

  /** Puts the nodes of a tree to the left and the right of a new node. */
  #split(root: number, node: number): void {
    let [leftEnd, rightEnd] = [node, node];
    for (let next = root; next !== NONE; ) {
      const current = next;
      if (this.#isBefore(current, node)) {
        next = this.#rightOf(current);
        if (leftEnd === node) this.#left[node] = current;
        else this.#right[leftEnd] = current;
        leftEnd = current;
      } else {
        next = this.#leftOf(current);
        if (rightEnd === node) this.#right[node] = current;
        else this.#left[rightEnd] = current;
        rightEnd = current;
      }
    }
    if (leftEnd !== node) this.#right[leftEnd] = NONE;
    if (rightEnd !== node) this.#left[rightEnd] = NONE;
  }

  /** All nodes of `one` come before all nodes of `other`. */
  #join(one: number, other: number): number {
    if (one === NONE) return other;
    if (other === NONE) return one;
    if (mix(one) > mix(other)) {
      this.#right[one] = this.#join(this.#rightOf(one), other);
      return one;
    }
    this.#left[other] = this.#join(one, this.#leftOf(other));
    return other;
  }

  #isReached(node: number, key: number, hash: number, after: number): boolean {
    const own = this.key(node);
    if (own !== key) return own < key;
    const ownHash = this.#hashOf(node);
    return ownHash === hash ? node > after : ownHash > hash;
  }

  #isBefore(one: number, other: number): boolean {
    const [key, otherKey] = [this.key(one), this.key(other)];
    if (key !== otherKey) return key > otherKey;
    const [hash, otherHash] = [this.#hashOf(one), this.#hashOf(other)];
    return hash === otherHash ? one < other : hash < otherHash;
  }

  #leftOf(node: number): number {
    return this.#left[node] ?? NONE;
  }

  #rightOf(node: number): number {
    return this.#right[node] ?? NONE;
  }
}
