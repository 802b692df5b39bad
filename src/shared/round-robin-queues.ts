/** Items that wait in lines, such as one for each merchant. Lines take turns; within a line, the oldest goes first. */
export class RoundRobinQueues<Item> {
  /** Lines with items. The first in the map has the next turn. */
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  /** How many items wait in all lines. */
  get size(): number {
    return this.#size;
  }

  /** How many lines have items. */
  get count(): number {
    return this.#queues.size;
  }

  lengthOf(line: string): number {
    return this.#queues.get(line)?.length ?? 0;
  }

  push(line: string, item: Item): void {
    const items = this.#queues.get(line);
    if (items === undefined) this.#queues.set(line, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Takes the next item of the next line that has a turn and that `canTake` accepts. */
  take(canTake: (line: string) => boolean): { line: string; item: Item } | undefined {
    for (const [line, items] of this.#queues) {
      if (!canTake(line)) continue;
      const item = items.shift();
      // The line goes behind all others, or leaves if nothing of it waits.
      this.#queues.delete(line);
      if (items.length > 0) this.#queues.set(line, items);
      if (item === undefined) continue;
      this.#size -= 1;
      return { line, item };
    }
    return undefined;
  }

  /** Takes the newest item of the longest line; ties go to `preferred`. */
  takeNewestOfLongest(preferred: string): Item | undefined {
    let longest = preferred;
    let most = this.lengthOf(preferred);
    for (const [line, { length }] of this.#queues) {
      if (length > most) [longest, most] = [line, length];
    }
    const items = this.#queues.get(longest);
    const item = items?.pop();
    if (items?.length === 0) this.#queues.delete(longest);
    if (item !== undefined) this.#size -= 1;
    return item;
  }

  /** Takes the oldest items of every line for as long as `isDue` accepts them. */
  takeDue(isDue: (item: Item) => boolean): Item[] {
    const due: Item[] = [];
    for (const [line, items] of this.#queues) {
      const end = items.findIndex((item) => !isDue(item));
      const taken = items.splice(0, end < 0 ? items.length : end);
      if (items.length === 0) this.#queues.delete(line);
      due.push(...taken);
    }
    this.#size -= due.length;
    return due;
  }
}
