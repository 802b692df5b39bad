import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import {
  CAMPAIGNS_AT_ONCE,
  type Columns,
  type CompetingCampaignRow,
  type CompetingProductRow,
  findCampaignsByIds,
  listCampaigns,
  listChangedProducts,
  listProducts,
  type Page,
  PRODUCTS_AT_ONCE,
  sumCategories,
  sumPlacements,
} from './queries.ts';
import type { SellRates, Tries } from './sell-rates.ts';

/** Products, and what their placements became, by internal ID. */
export interface ProductsPage<Row = CompetingProductRow> {
  rows: readonly Row[];
  placements: ReadonlyMap<number, Tries>;
}

/** A change of a merchant's catalog: the revision, and the internal ID of the last product with it. */
export interface CatalogPosition {
  revision: number;
  afterId: number;
}

const NO_TRIES: ReadonlyMap<number, Tries> = new Map();

/** Reads what competes of one merchant, page by page. */
export class MerchantReader {
  readonly #database: Database;
  readonly #listCampaigns: ReturnType<typeof listCampaigns>;
  readonly #listProducts: ReturnType<typeof listProducts>;
  readonly #hasQuality: boolean;

  /** Without `hasQuality`, pages say nothing of placements. */
  constructor(database: Database, hasQuality: boolean) {
    this.#database = database;
    this.#listCampaigns = listCampaigns(database.dialect);
    this.#listProducts = listProducts(database.dialect);
    this.#hasQuality = hasQuality;
  }

  /** Campaigns that have not expired. */
  async *campaigns(merchantId: number): AsyncGenerator<CompetingCampaignRow[]> {
    for (let after = '', isMore = true; isMore; ) {
      const found = await this.#database.first(this.#listCampaigns, { merchantId, after });
      const rows = rowsOf<CompetingCampaignRow>(found);
      after = rows.at(-1)?.id ?? after;
      isMore = rows.length === CAMPAIGNS_AT_ONCE;
      yield rows;
    }
  }

  async campaignsOfIds(merchantId: number, ids: readonly string[]): Promise<CompetingCampaignRow[]> {
    return await lookUp(this.#database, findCampaignsByIds, merchantId, ids);
  }

  /** Products with a campaign name. */
  async *products(merchantId: number): AsyncGenerator<ProductsPage> {
    for (let afterName = '', afterId = 0, isMore = true; isMore; ) {
      const page = { merchantId, afterName, afterId };
      const found = await this.#database.first(this.#listProducts, page);
      const rows = rowsOf<CompetingProductRow>(found);
      const placements = found?.placed === 1 ? await this.#placementsOf(merchantId, rows) : NO_TRIES;
      const last = rows.at(-1);
      afterName = last?.campaign_name ?? afterName;
      afterId = last?.internal_id ?? afterId;
      isMore = rows.length === PRODUCTS_AT_ONCE;
      yield { rows, placements };
    }
  }

  /** Products that changed after a position, in the order of their last change. */
  async *changedProducts(
    merchantId: number,
    after: CatalogPosition,
  ): AsyncGenerator<ProductsPage & { end: CatalogPosition }> {
    for (let { revision: afterRevision, afterId } = after, isMore = true; isMore; ) {
      const page = { merchantId, afterRevision, afterId, limit: PRODUCTS_AT_ONCE };
      const rows = await this.#database.all(listChangedProducts, page);
      const placements = await this.#placementsOf(merchantId, rows);
      afterRevision = rows.at(-1)?.revision ?? afterRevision;
      afterId = rows.at(-1)?.internal_id ?? afterId;
      isMore = rows.length === PRODUCTS_AT_ONCE;
      yield { rows, placements, end: { revision: afterRevision, afterId } };
    }
  }

  async addCategories(rates: SellRates, merchantId: number): Promise<void> {
    for (const { category_1, category_2, ...tries } of await this.#database.all(sumCategories, {
      merchantId,
    }))
      rates.add([category_1, category_2], tries);
  }

  async #placementsOf(
    merchantId: number,
    products: readonly CompetingProductRow[],
  ): Promise<ReadonlyMap<number, Tries>> {
    if (!this.#hasQuality) return NO_TRIES;
    const ids = products.map(({ internal_id }) => internal_id);
    const sums = await lookUp(this.#database, sumPlacements, merchantId, ids);
    return new Map(
      sums.map(({ product_id, delivered, orders }) => [product_id, { tries: delivered, sold: orders }]),
    );
  }
}

function rowsOf<Row>(found: Page | undefined): Row[] {
  const columns = Object.entries(JSON.parse(found?.page ?? '{}') as Columns<Row>) as [keyof Row, unknown[]][];
  return Array.from({ length: columns[0]?.[1].length ?? 0 }, (_, index) => {
    const row: Partial<Record<keyof Row, unknown>> = {};
    for (const [name, values] of columns) row[name] = values[index];
    return row as Row;
  });
}
