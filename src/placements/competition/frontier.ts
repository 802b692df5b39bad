import { type Candidate, isAhead, type Position } from '../decide/ranking.ts';

/** A candidate, or a part that has not been opened. */
export interface Entry extends Position {
  /** Undefined for a part of several merchants. */
  merchantId: number | undefined;
  /** Undefined for a part of several campaigns. */
  campaignId: string | undefined;
  /** Adds to the frontier what is in a part, and returns the candidate if it is one. */
  open: () => Candidate | undefined;
}

/** Entries, of which the first in the order of `isAhead` can be taken (a binary heap). */
export class Frontier {
  readonly #entries: Entry[] = [];

  add(entry: Entry): void {
    let at = this.#entries.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#entries[above];
      if (parent === undefined || !isAhead(entry, parent)) break;
      this.#entries[at] = parent;
      at = above;
    }
    this.#entries[at] = entry;
  }

  take(): Entry | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (last !== undefined && last !== first) this.#sink(last);
    return first;
  }

  #sink(entry: Entry): void {
    let at = 0;
    for (;;) {
      const below = this.#firstChild(at);
      const child = this.#entries[below];
      if (child === undefined || !isAhead(child, entry)) break;
      this.#entries[at] = child;
      at = below;
    }
    this.#entries[at] = entry;
  }

  #firstChild(at: number): number {
    const left = 2 * at + 1;
    const [one, other] = [this.#entries[left], this.#entries[left + 1]];
    return one !== undefined && other !== undefined && isAhead(other, one) ? left + 1 : left;
  }
}
