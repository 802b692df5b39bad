import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Figure } from './figures.ts';

/** How much worse a median may get. */
const TOLERANCE = 0.15;

/** Medians by engine and scenario, and by the name of the figure. */
type Medians = Record<string, Record<string, number>>;

/** Compares short measurements with recorded ones. Figures without a bound are not compared. */
export class Gate {
  readonly #file: string;
  readonly #recorded: Medians;
  readonly #measured: Medians = {};
  readonly #worse: string[] = [];
  #compared = 0;

  constructor(file: string) {
    this.#file = file;
    this.#recorded = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Medians) : {};
  }

  add(scenario: string, figures: readonly Figure[]): void {
    const compared = figures.filter(({ bound }) => bound !== null);
    this.#measured[scenario] = Object.fromEntries(
      compared.map(({ name, median }) => [name, Number(median.toPrecision(3))]),
    );
    for (const { name, median, bound } of compared) {
      const before = this.#recorded[scenario]?.[name];
      if (before === undefined || bound === null) continue;
      this.#compared += 1;
      const worse = 'atLeast' in bound ? before / median : median / before;
      if (worse > 1 / (1 - TOLERANCE))
        this.#worse.push(`${scenario}: ${name}: ${median.toPrecision(3)}, recorded ${before}`);
    }
  }

  record(): void {
    const medians = { ...this.#recorded, ...this.#measured };
    writeFileSync(this.#file, `${JSON.stringify(medians, null, 2)}\n`);
  }

  /** Prints what got worse. Returns whether figures were compared, and none got worse. */
  report(): boolean {
    for (const line of this.#worse) process.stdout.write(`worse by more than 15 %: ${line}\n`);
    const better = this.#compared - this.#worse.length;
    process.stdout.write(`${better} of ${this.#compared} figures are at most 15 % worse than recorded.\n`);
    return this.#compared > 0 && this.#worse.length === 0;
  }
}
