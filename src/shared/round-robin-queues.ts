/** Named queues, such as one for each merchant, take turns. Within a queue, the oldest item goes first. */
export class RoundRobinQueues<Item> {
  /** Queues with items; the first one has the next turn. */
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  /** The number of items in all queues. */
  get size(): number {
    return this.#size;
  }

  /** The number of queues with items. */
  get count(): number {
    return this.#queues.size;
  }

  get longest(): number {
    return Math.max(0, ...this.#queues.values().map(({ length }) => length));
  }

  lengthOf(queue: string): number {
    return this.#queues.get(queue)?.length ?? 0;
  }

  push(queue: string, item: Item): void {
    const items = this.#queues.get(queue);
    if (items === undefined) this.#queues.set(queue, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Takes the next item of the next queue that `canTake` accepts and for which `usedBy` is smallest. */
  take(
    canTake: (queue: string) => boolean,
    usedBy: (queue: string) => number = () => 0,
  ): { queue: string; item: Item } | undefined {
    const queue = this.#next(canTake, usedBy);
    const items = queue === undefined ? undefined : this.#queues.get(queue);
    const item = items?.shift();
    if (queue === undefined || items === undefined || item === undefined) return undefined;
    // The queue goes behind all others, or is removed if it is empty.
    this.#queues.delete(queue);
    if (items.length > 0) this.#queues.set(queue, items);
    this.#size -= 1;
    return { queue, item };
  }

  #next(canTake: (queue: string) => boolean, usedBy: (queue: string) => number): string | undefined {
    let next: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues.keys()) {
      if (!canTake(queue)) continue;
      const used = usedBy(queue);
      if (used < least) [next, least] = [queue, used];
      if (least <= 0) break;
    }
    return next;
  }

  /** Ties go to `preferred`. */
  takeNewestOfLongest(preferred: string): Item | undefined {
    let longest = preferred;
    let most = this.lengthOf(preferred);
    for (const [queue, { length }] of this.#queues) {
      if (length > most) [longest, most] = [queue, length];
    }
    const items = this.#queues.get(longest);
    const item = items?.pop();
    if (items?.length === 0) this.#queues.delete(longest);
    if (item !== undefined) this.#size -= 1;
    return item;
  }

  remove(queue: string, item: Item): void {
    const items = this.#queues.get(queue) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return;
    items.splice(index, 1);
    if (items.length === 0) this.#queues.delete(queue);
    this.#size -= 1;
  }

  /** Takes the oldest items of every queue while `isDue` accepts them. */
  takeDue(isDue: (item: Item) => boolean): Item[] {
    const due: Item[] = [];
    for (const [queue, items] of this.#queues) {
      const end = items.findIndex((item) => !isDue(item));
      const taken = items.splice(0, end < 0 ? items.length : end);
      if (items.length === 0) this.#queues.delete(queue);
      due.push(...taken);
    }
    this.#size -= due.length;
    return due;
  }
}
