/** Keys whose amount is 0 take no memory. */
export class Tally<Key> {
  readonly #amounts = new Map<Key, number>();

  of(key: Key): number {
    return this.#amounts.get(key) ?? 0;
  }

  add(key: Key, amount = 1): void {
    this.#amounts.set(key, this.of(key) + amount);
  }

  /** Subtracts down to 0. */
  subtract(key: Key, amount = 1): void {
    const left = this.of(key) - amount;
    if (left > 0) this.#amounts.set(key, left);
    else this.#amounts.delete(key);
  }
}
