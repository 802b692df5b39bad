const GROWTH = 1 << 16;

/** Tells whether a number came before: one bit a number, so that a million take 125 KB. */
export class SeenNumbers {
  #bits = new Uint8Array(GROWTH);

  /** Notes a number, 0 or more; true if it was noted before. */
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
