/** How often something was tried, and how often it sold. */
export interface Tries {
  tries: number;
  sold: number;
}

export const UNTRIED: Tries = { tries: 0, sold: 0 };

type Category = readonly [level1: string, level2: string];

/**
 * The sell rates of categories, with which the sell rates of products are smoothed: a rate counts as much as
 * `weight` tries. Rates are above 0 and at most 1, and depend only on the sums that were added.
 */
export class SellRates {
  readonly #weight: number;
  readonly #categories = new Map<string, Tries>();
  readonly #all: Tries = { tries: 0, sold: 0 };

  constructor(weight: number) {
    this.#weight = weight;
  }

  add(category: Category, { tries, sold }: Tries): void {
    const name = nameOf(category);
    const before = this.#categories.get(name) ?? UNTRIED;
    this.#categories.set(name, { tries: before.tries + tries, sold: before.sold + sold });
    this.#all.tries += tries;
    this.#all.sold += sold;
  }

  /**
   * Returns the quality of a product (contract for campaigns, “Rank and price”). Until it was placed, only
   * its schedules tell how well it sells. They count less with each placement.
   */
  qualityOf(category: Category, { schedules, placements }: { schedules: Tries; placements: Tries }): number {
    const all = (this.#all.sold + 1) / (this.#all.tries + 2);
    const ofCategory = this.#smooth(this.#categories.get(nameOf(category)) ?? UNTRIED, all);
    return this.#smooth(placements, this.#smooth(schedules, ofCategory));
  }

  #smooth({ tries, sold }: Tries, expected: number): number {
    // Sums of placements and schedules are written at different times.
    return (Math.min(sold, tries) + this.#weight * expected) / (tries + this.#weight);
  }
}

function nameOf([level1, level2]: Category): string {
  return `${level1} | ${level2}`;
}
