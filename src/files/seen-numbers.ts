const GROWTH = 1 << 16;

/** A set of whole numbers with one bit for each number up to the largest: 125 KB for a million. */
export class SeenNumbers {
  #bits = new Uint8Array(GROWTH);

  /** Adds a number, 0 or more. Returns whether it was added before. */
  add(number: number): boolean {
    const index = Math.floor(number / 8);
    if (index >= this.#bits.length) {
      const wider = new Uint8Array(Math.max(index + 1, this.#bits.length * 2));
      wider.set(this.#bits);
      this.#bits = wider;
    }
    const mask = 1 << (number % 8);
    const byte = this.#bits[index] ?? 0;
    this.#bits[index] = byte | mask;
    return (byte & mask) !== 0;
  }
}
