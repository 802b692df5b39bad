import { type Brand, PRODUCT_NAME } from '../brand/brand.ts';
import type { Reader } from '../database/database.ts';
import { withTimeout } from '../shared/timeout.ts';
import { findMarketplace } from './queries.ts';

const FRESH_MS = 2_000;
/** A page does not wait longer for a database that is slow or away. */
const WAIT_MS = 250;

type Named = Pick<Brand, 'name'>;

/** What the operator calls the marketplace: with a setting, or else on the screen. */
export async function findMarketplaceName(reader: Pick<Reader, 'first'>, brand: Named): Promise<string> {
  return brand.name ?? (await reader.first(findMarketplace))?.name ?? PRODUCT_NAME;
}

/** The name of the marketplace for pages, which are served without the database too. */
export class MarketplaceName {
  readonly #reader: Pick<Reader, 'first'>;
  readonly #brand: Named;
  #name: string;
  #readAt = Number.NEGATIVE_INFINITY;
  #update: Promise<void> = Promise.resolve();

  constructor(reader: Pick<Reader, 'first'>, brand: Named) {
    this.#reader = reader;
    this.#brand = brand;
    this.#name = brand.name ?? PRODUCT_NAME;
  }

  /** Resolves to the name of the last two seconds, or the last known one. Never rejects. */
  async read(): Promise<string> {
    if (this.#brand.name !== null) return this.#name;
    if (performance.now() - this.#readAt >= FRESH_MS) {
      this.#readAt = performance.now();
      this.#update = findMarketplaceName(this.#reader, this.#brand).then(
        (name) => {
          this.#name = name;
        },
        () => {},
      );
    }
    await withTimeout(WAIT_MS, this.#update, undefined);
    return this.#name;
  }
}
