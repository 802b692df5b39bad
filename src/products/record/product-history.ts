import { authorOf } from '../../audit/change-author.ts';
import type { Actor } from '../../database/actor.ts';
import type { TransactionContext } from '../../database/write-context.ts';
import {
  addCatalogChange,
  addProductChange,
  type CatalogChangeRow,
  insertCatalogChange,
  insertProductChange,
  type ProductChangeRow,
} from './history-queries.ts';
import type { CatalogEntry } from './merge-product.ts';
import { diffOf, fieldsOf } from './product-diff.ts';

/** As many rows as a group of calls has are faster without a COPY, which takes a round trip. */
const FEW = 50;

interface Step {
  who: Actor;
  before: CatalogEntry;
  after: CatalogEntry;
}

interface Part {
  /** Counts from 0. */
  part: number;
  changed: number;
  /** The names of changed fields. */
  fields: Set<string>;
  /** Identifiers of new products, in the order of their internal IDs. */
  created: string[];
}

/**
 * Records what a transaction changes in a merchant's catalog, and for whom. Each `Actor` object is one call:
 * the calls that share a transaction have one each.
 */
export class ProductHistory {
  readonly #steps = new Map<string, Step[]>();
  readonly #parts = new Map<Actor, Part>();
  readonly #new = new Set<string>();
  readonly #rows: ProductChangeRow[] = [];
  readonly #now: string;

  /** `now` is the time of the transaction in the format of records. */
  constructor(now: string) {
    this.#now = now;
  }

  /** Adds a change of a product. `before` is undefined if it creates the product. */
  add(who: Actor, identifier: string, before: CatalogEntry | undefined, after: CatalogEntry): void {
    if (before === undefined) {
      this.#new.add(identifier);
      this.#partOf(who).created.push(identifier);
      return;
    }
    // A product is created in the state that its transaction leaves.
    if (this.#new.has(identifier)) return;
    const steps = this.#steps.get(identifier);
    const last = steps?.at(-1);
    if (steps === undefined) this.#steps.set(identifier, [{ who, before, after }]);
    else if (last?.who === who) last.after = after;
    else steps.push({ who, before, after });
  }

  /**
   * Prepares the row of a product that existed, before `send`. Returns the revision of the product's newest
   * change: `revision`, or `former` if nothing is recorded.
   */
  prepare(
    identifier: string,
    productId: number,
    { former, revision }: { former: number; revision: number },
    { merchantId }: TransactionContext,
  ): number {
    const changes = (this.#steps.get(identifier) ?? []).flatMap(({ who, before, after }) => {
      const diff = diffOf(before, after, this.#now);
      return diff === undefined ? [] : [{ who, diff }];
    });
    if (changes.length === 0) return former;
    const parts = changes.map(({ who, diff }) => {
      const part = this.#partOf(who);
      part.changed += 1;
      for (const name of fieldsOf(diff)) part.fields.add(name);
      return [part.part, diff];
    });
    this.#rows.push({
      merchant_id: merchantId,
      revision,
      product_id: productId,
      former_revision: former,
      changes: JSON.stringify(parts),
    });
    return revision;
  }

  /** Writes what was prepared. `idOf` returns the internal ID of a new product. */
  send(
    { connection, merchantId, now }: TransactionContext,
    revision: number,
    idOf: (identifier: string) => number | undefined,
  ): void {
    const parts = [...this.#parts].map(([who, { part, changed, created, fields }]): CatalogChangeRow => {
      const ids = created.flatMap((identifier) => idOf(identifier) ?? []);
      return {
        merchant_id: merchantId,
        revision,
        part,
        ...authorOf(who, now),
        changed,
        created_from: ids[0] ?? null,
        created_to: ids.at(-1) ?? null,
        fields: fields.size === 0 ? '' : `,${[...fields].join(',')},`,
      };
    });
    connection.send(parts.length > FEW ? insertCatalogChange : addCatalogChange, parts);
    connection.send(this.#rows.length > FEW ? insertProductChange : addProductChange, this.#rows);
  }

  #partOf(who: Actor): Part {
    const part = this.#parts.get(who) ?? {
      part: this.#parts.size,
      changed: 0,
      fields: new Set(),
      created: [],
    };
    this.#parts.set(who, part);
    return part;
  }
}
