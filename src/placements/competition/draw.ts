/** Draws numbers one after the other: the lowest lot first. Takes no time to sort what is never drawn. */
export class Draw {
  readonly #numbers: readonly number[];
  readonly #lots: Float64Array;
  #last = -1;

  /** All lots are different, and at least 0. */
  constructor(numbers: readonly number[], lotOf: (number: number) => number) {
    this.#numbers = numbers;
    this.#lots = new Float64Array(numbers.length);
    for (const [at, number] of numbers.entries()) this.#lots[at] = lotOf(number);
  }

  next(): number | undefined {
    const last = this.#last;
    let least = Number.POSITIVE_INFINITY;
    let found = -1;
    for (let at = 0; at < this.#lots.length; at++) {
      const lot = this.#lots[at] ?? 0;
      if (lot <= last || lot >= least) continue;
      least = lot;
      found = at;
    }
    this.#last = least;
    return this.#numbers[found];
  }
}
