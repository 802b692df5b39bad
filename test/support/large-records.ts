import type { Database, Reader } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { statement } from '../../src/database/statement.ts';
import type { Product } from '../../src/products/record/product.ts';
import type { Catalog } from './catalog.ts';

/** Enlarges every record to about `bytes`, beyond the limit of imports, like records older than the limit. */
export async function enlargeRecords(
  { database }: Pick<Catalog, 'database'>,
  { id }: { id: number },
  bytes: number,
): Promise<void> {
  const rows = await database.all(listRecords, { id });
  await database.transaction(async (connection) => {
    await connection.runEach(
      setRecord,
      rows.map(({ internal_id, record }) => ({ id, internal_id, record: enlarged(record, bytes) })),
    );
    await connection.run(addToRevision, { id });
  });
}

const listRecords = statement<{ id: number }, { internal_id: number; record: string }>(
  'SELECT internal_id, record FROM products WHERE merchant_id = :id ORDER BY internal_id',
);
const setRecord = statement<{ id: number; internal_id: number; record: string }, never>(
  'UPDATE products SET record = :record WHERE merchant_id = :id AND internal_id = :internal_id',
);
const addToRevision = statement<{ id: number }, never>(
  'UPDATE merchant_counters SET catalog_revision = catalog_revision + 1 WHERE merchant_id = :id',
);

function enlarged(record: string, bytes: number): string {
  const product: Product = JSON.parse(record);
  const seed = `${product.identifier} é "quoted" `;
  return JSON.stringify({ ...product, description: seed.repeat(Math.ceil(bytes / seed.length)) });
}

/** Records how a service reads pages. */
export class ReadWatch {
  /** The largest array of records that one statement returned, in bytes. */
  largestJoin = 0;
  offLoop = 0;
  /** The most bytes of records that one of these snapshots read as text. */
  largestStep = 0;
  /** How many records were read as text on the event loop. */
  recordsOnLoop = 0;

  wrap(database: Database): Database {
    return intercept(database, {
      all: async (statement, ...parameters) => {
        const rows = await database.all(statement, ...parameters);
        this.recordsOnLoop += recordsIn(rows).length;
        return rows;
      },
      firstWithItems: async (statement, parameters, options) => {
        const read = await database.firstWithItems(statement, parameters, options);
        this.largestJoin = Math.max(this.largestJoin, read?.items.length ?? 0);
        return read;
      },
      snapshot: (work, options) => {
        if (options?.offLoop !== true) return database.snapshot(work, options);
        this.offLoop += 1;
        return database.snapshot((reader) => work(this.#wrapReader(reader)), options);
      },
    });
  }

  #wrapReader(reader: Reader): Reader {
    let bytes = 0;
    return {
      all: async (statement, ...parameters) => {
        const rows = await reader.all(statement, ...parameters);
        bytes += recordsIn(rows).reduce((sum, record) => sum + Buffer.byteLength(record), 0);
        this.largestStep = Math.max(this.largestStep, bytes);
        return rows;
      },
      first: (statement, ...parameters) => reader.first(statement, ...parameters),
    };
  }
}

function recordsIn(rows: readonly unknown[]): string[] {
  return rows.flatMap((row) =>
    typeof row === 'object' && row !== null && 'record' in row && typeof row.record === 'string'
      ? [row.record]
      : [],
  );
}
