import type { Database } from '../../src/database/database.ts';
import { statement } from '../../src/database/statement.ts';
import type { Settings } from '../engines/engine.ts';
import { get } from '../measuring/client.ts';
import { type Server, tokenOf } from './servers.ts';

const raiseRevision = statement<{ name: string }, never>(
  `UPDATE merchant_counters SET catalog_revision = catalog_revision + 1
   WHERE merchant_id = (SELECT id FROM merchants WHERE name = :name)`,
);

/** For pages of 50. */
export interface CatalogClient {
  pages: number;
  /** Resolves to the time to the last byte, in ms. */
  get(query: string): Promise<number>;
  /** Invalidates the service's caches of this catalog, as a write does. */
  touch(): Promise<void>;
}

export async function catalogClient(
  { baseUrl }: Server,
  { settings, database }: { settings: Settings; database: Database },
  merchant: string,
  products: number,
): Promise<CatalogClient> {
  const token = await tokenOf(settings, merchant);
  return {
    pages: products / 50,
    touch: async () => {
      await database.transaction((connection) => connection.run(raiseRevision, { name: merchant }));
    },
    get: async (query) => {
      const { status, milliseconds } = await get(`${baseUrl}/products.json?access_token=${token}${query}`);
      if (status !== 200) throw new Error(`status ${status} for ${query}`);
      return milliseconds;
    },
  };
}
