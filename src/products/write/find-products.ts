import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { errors } from '../../errors/errors.ts';
import {
  type FoundProduct,
  findProducts,
  findProductsOfInternalIds,
  findProductsOfVariations,
} from '../record/queries.ts';

type Connection = Pick<Reader, 'all'>;

/** Finds the products that one merchant's calls name. Simultaneous calls share one statement. */
export class ProductFinder {
  readonly #byIdentifier: SharedLookup<string, FoundProduct>;
  readonly #byInternalId: SharedLookup<number, FoundProduct>;
  readonly #byVariation: SharedLookup<string, FoundProduct & { variation: string }>;
  readonly #found = new Map<string, FoundProduct | undefined>();

  constructor(connection: Connection, merchantId: number) {
    this.#byIdentifier = new SharedLookup(
      ({ identifier }) => identifier,
      (names) => lookUp(connection, findProducts, merchantId, names),
    );
    this.#byInternalId = new SharedLookup(
      ({ internal_id }) => internal_id,
      (names) => lookUp(connection, findProductsOfInternalIds, merchantId, names),
    );
    this.#byVariation = new SharedLookup(
      ({ variation }) => variation,
      (names) => lookUp(connection, findProductsOfVariations, merchantId, names),
    );
  }

  /** The products that were found, by identifier; undefined for an identifier that no product has. */
  get found(): ReadonlyMap<string, FoundProduct | undefined> {
    return this.#found;
  }

  async find(identifier: string): Promise<FoundProduct | undefined> {
    if (!this.#found.has(identifier)) this.#found.set(identifier, await this.#byIdentifier.find(identifier));
    return this.#found.get(identifier);
  }

  /**
   * Resolves to the identifier of the product that a call names by its identifier, its internal id, or both.
   * @throws {DomainError} `invalid_parameters` if it names none or two; `product_not_found`
   */
  async identifierOf({
    identifier,
    internal_id,
  }: {
    identifier?: string | undefined;
    internal_id?: number | undefined;
  }): Promise<string> {
    if (internal_id === undefined) {
      if (identifier !== undefined) return identifier;
      const reason = 'missing, expected the identifier or the internal_id of a product';
      throw errors.invalid_parameters([{ field: 'identifier', reason }]);
    }
    const row = this.#remember(await this.#byInternalId.find(internal_id));
    if (identifier === undefined) {
      if (row === undefined) throw errors.product_not_found(String(internal_id));
      return row.identifier;
    }
    if (row?.identifier === identifier) return identifier;
    const named = await this.find(identifier);
    if (named === undefined) throw errors.product_not_found(identifier);
    const reason = `read-only: ${identifier} has the internal_id ${named.internal_id}`;
    throw errors.invalid_parameters([{ field: 'internal_id', reason }]);
  }

  /** Resolves to the identifier of a variation's product. @throws {DomainError} `variation_not_found` */
  async identifierOfVariation(variation: string): Promise<string> {
    const row = this.#remember(await this.#byVariation.find(variation));
    if (row !== undefined) return row.identifier;
    const product = await this.find(variation);
    const hint =
      product === undefined ? '' : ' It is a product: use the calls of products, such as products/update.';
    throw errors.variation_not_found(variation, hint);
  }

  #remember(row: FoundProduct | undefined): FoundProduct | undefined {
    if (row !== undefined) this.#found.set(row.identifier, row);
    return row;
  }
}

/** Names that are requested before the next microtask share one lookup. */
class SharedLookup<Name, Row> {
  readonly #nameOf: (row: Row) => Name;
  readonly #lookUp: (names: Name[]) => Promise<Row[]>;
  #next: { names: Set<Name>; rows: Promise<Map<Name, Row>> } | undefined;

  constructor(nameOf: (row: Row) => Name, lookUp: (names: Name[]) => Promise<Row[]>) {
    this.#nameOf = nameOf;
    this.#lookUp = lookUp;
  }

  async find(name: Name): Promise<Row | undefined> {
    this.#next ??= this.#begin();
    this.#next.names.add(name);
    return (await this.#next.rows).get(name);
  }

  #begin(): { names: Set<Name>; rows: Promise<Map<Name, Row>> } {
    const names = new Set<Name>();
    const rows = Promise.resolve().then(async () => {
      this.#next = undefined;
      return new Map((await this.#lookUp([...names])).map((row) => [this.#nameOf(row), row]));
    });
    return { names, rows };
  }
}
