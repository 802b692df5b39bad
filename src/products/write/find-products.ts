import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { errors } from '../../errors/errors.ts';
import {
  findProductsByIdentifiers,
  findProductsByInternalIds,
  findProductsOfVariations,
} from '../record/queries.ts';

type Connection = Pick<Reader, 'all'>;

/** Finds the products that one merchant's calls name. Simultaneous calls share one statement. */
export class ProductFinder {
  readonly #connection: Connection;
  readonly #merchantId: number;
  readonly #byInternalId: SharedLookup<number, { internal_id: number; identifier: string }>;
  readonly #byVariation: SharedLookup<string, { variation: string; identifier: string }>;

  constructor(connection: Connection, merchantId: number) {
    this.#connection = connection;
    this.#merchantId = merchantId;
    this.#byInternalId = new SharedLookup(
      ({ internal_id }) => internal_id,
      (names) => lookUp(connection, findProductsByInternalIds, merchantId, names),
    );
    this.#byVariation = new SharedLookup(
      ({ variation }) => variation,
      (names) => lookUp(connection, findProductsOfVariations, merchantId, names),
    );
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
    const row = await this.#byInternalId.find(internal_id);
    if (identifier === undefined) {
      if (row === undefined) throw errors.product_not_found(String(internal_id));
      return row.identifier;
    }
    if (row?.identifier === identifier) return identifier;
    const [named] = await lookUp(this.#connection, findProductsByIdentifiers, this.#merchantId, [identifier]);
    if (named === undefined) throw errors.product_not_found(identifier);
    const reason = `read-only: ${identifier} has the internal_id ${named.internal_id}`;
    throw errors.invalid_parameters([{ field: 'internal_id', reason }]);
  }

  /** Resolves to the identifier of a variation's product. @throws {DomainError} `variation_not_found` */
  async identifierOfVariation(variation: string): Promise<string> {
    const row = await this.#byVariation.find(variation);
    if (row !== undefined) return row.identifier;
    const [product] = await lookUp(this.#connection, findProductsByIdentifiers, this.#merchantId, [
      variation,
    ]);
    const hint =
      product === undefined ? '' : ' It is a product: use the calls of products, such as products/update.';
    throw errors.variation_not_found(variation, hint);
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
