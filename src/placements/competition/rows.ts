const GROWTH = 1.0625;
const LEAST = 16;

/** Numbers of rows whose columns are typed arrays. Numbers of released rows are given away again. */
export class Rows {
  readonly #resize: (capacity: number) => void;
  readonly #released: number[] = [];
  #capacity = 0;
  #used = 0;

  /** `resize` makes room for rows with numbers below a capacity. */
  constructor(resize: (capacity: number) => void) {
    this.#resize = resize;
  }

  /** All numbers are below it. */
  get capacity(): number {
    return this.#capacity;
  }

  get size(): number {
    return this.#used - this.#released.length;
  }

  take(): number {
    const row = this.#released.pop() ?? this.#used++;
    if (row >= this.#capacity) {
      this.#capacity = Math.max(LEAST, Math.ceil(this.#capacity * GROWTH));
      this.#resize(this.#capacity);
    }
    return row;
  }

  release(row: number): void {
    this.#released.push(row);
  }
}

/** Objects with a number each. */
export class Registry<Item> {
  readonly #items: (Item | undefined)[] = [];
  readonly #rows = new Rows(() => {});

  /** All numbers are below it. */
  get capacity(): number {
    return this.#rows.capacity;
  }

  add(create: (number: number) => Item): Item {
    const number = this.#rows.take();
    const item = create(number);
    this.#items[number] = item;
    return item;
  }

  get(number: number): Item {
    const item = this.#items[number];
    if (item === undefined) throw new Error(`there is no number ${number}`);
    return item;
  }

  remove(number: number): void {
    this.#items[number] = undefined;
    this.#rows.release(number);
  }
}
