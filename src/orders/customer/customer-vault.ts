import type { Connection, Database, Dialect, Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { MonthlyKeys } from '../../encryption/monthly-keys.ts';
import type { CustomerData } from '../record/order-record.ts';
import { type CustomerRow, findCustomers } from '../record/queries.ts';
import { nameWords } from './name-words.ts';
import { insertFormerKey, listCustomerKeys, listFormerKeys, readClock } from './queries.ts';

/** What is stored of a customer, without the time at which the order was closed. */
interface EncryptedCustomer {
  row: Omit<CustomerRow, 'closed_at'>;
  /** What the search finds the order by. */
  words: string[];
}

const NAME_PREFIX = 'name:';

/** Names and addresses of customers, which are stored encrypted (contract for orders, “Customer data”). */
export class CustomerVault {
  readonly #keys: MonthlyKeys;
  readonly #dialect: Pick<Dialect, 'takeGlobalLock' | 'clock'>;

  constructor(keys: MonthlyKeys, dialect: Pick<Dialect, 'takeGlobalLock' | 'clock'>) {
    this.#keys = keys;
    this.#dialect = dialect;
  }

  /**
   * Creates the first key of the database if it has none, and checks the key file if another one replaced
   * it. To be called before transactions that encrypt: each of them uses the rows of one merchant, and this
   * looks at the keys of all.
   * @throws {KeyFileUnusable}
   */
  async prepare(database: Pick<Database, 'all' | 'transaction'>, now: number): Promise<void> {
    if (await this.#keys.isReadyAt(now)) return;
    const former = await findFormerNames(database);
    await this.#keys.requireKeys(former.length > 0 ? former : await findKeyNames(database));
    if (await this.#keys.isReadyAt(now)) return;
    const create = async (connection: Connection): Promise<void> => {
      await this.#keys.encryptorAt(now, {
        lock: () => connection.all(this.#dialect.takeGlobalLock),
        findUsed: () => findKeyNames(connection),
      });
    };
    await database.transaction(create, { everyNode: true });
  }

  /**
   * Encrypts customers of a merchant's orders, by the ID of the order, with the key of the month of `now`. To
   * be called in the transaction that stores them, after `prepare`.
   * @throws {KeyFileUnusable}
   */
  async encrypt(
    { merchantId, now }: { merchantId: number; now: number },
    customers: ReadonlyMap<number, CustomerData>,
  ): Promise<EncryptedCustomer[]> {
    if (customers.size === 0) return [];
    const { keyName, encrypt, hashWord } = await this.#keys.encryptorAt(now);
    const owner = ownerOf(merchantId);
    return [...customers].map(([orderId, { customer_name, address1, address2, city, postal_code }]) => {
      const text = JSON.stringify([customer_name, address1, address2, city, postal_code]);
      const data = encrypt(text, rowOf(merchantId, orderId));
      return {
        row: { merchant_id: merchantId, order_id: orderId, key: keyName, data },
        words: nameWords(customer_name ?? '').map((word) => NAME_PREFIX + hashWord(word, owner)),
      };
    });
  }

  /**
   * Returns for each word of a text the words that orders of customers with it in their names have: one for
   * each month whose key exists, newest first.
   * @throws {KeyFileUnusable}
   */
  async wordsFor(
    { merchantId, now }: { merchantId: number; now: number },
    text: string,
  ): Promise<{ word: string; hashes: string[] }[]> {
    const hashers = await this.#keys.wordHashersUntil(now);
    const owner = ownerOf(merchantId);
    return nameWords(text).map((word) => ({
      word,
      hashes: hashers.map((hash) => NAME_PREFIX + hash(word, owner)),
    }));
  }

  /**
   * Returns the data of the customers of these orders, by the ID of the order. Orders whose data was erased,
   * or whose key was destroyed, are missing.
   * @throws {KeyFileUnusable} if the key of one is missing
   * @throws {UndecryptableValue}
   */
  async reveal(
    reader: Pick<Reader, 'all'>,
    merchantId: number,
    orderIds: readonly number[],
  ): Promise<Map<number, CustomerData>> {
    const customers = new Map<number, CustomerData>();
    const rows = await lookUp(reader, findCustomers, merchantId, orderIds);
    if (rows.length === 0) return customers;
    const decrypt = await this.#keys.decryptorOf([...new Set(rows.map(({ key }) => key))]);
    for (const { order_id, key, data } of rows) {
      const text = decrypt({ keyName: key, bytes: data }, rowOf(merchantId, order_id));
      if (text !== undefined) customers.set(order_id, parse(text));
    }
    return customers;
  }

  /**
   * Destroys the keys of months whose customers were all erased. Each machine has to do this for its own key
   * file. A clock that is ahead of the database's destroys nothing more.
   * @throws {KeyFileUnusable}
   */
  async destroyUnusedKeys(database: Database, now: number): Promise<void> {
    const used = await findKeyNames(database);
    const former = await findFormerNames(database);
    // Remembered before their values are erased, because a database without values destroys nothing.
    const added = used.filter((name) => !former.includes(name)).map((name) => ({ name }));
    if (added.length > 0)
      await database.transaction((connection) => connection.runEach(insertFormerKey, added));
    const clock = await database.first(readClock(this.#dialect));
    await this.#keys.destroyUnused({ used, former }, Math.min(now, clock?.now ?? now));
  }
}

async function findKeyNames(reader: Pick<Reader, 'all'>): Promise<string[]> {
  return (await reader.all(listCustomerKeys)).map(({ name }) => name);
}

/** Of every secret that was in use for an hour. */
async function findFormerNames(reader: Pick<Reader, 'all'>): Promise<string[]> {
  return (await reader.all(listFormerKeys)).map(({ name }) => name);
}

/** Only for the text of `encrypt`. */
function parse(text: string): CustomerData {
  const [customer_name = null, address1 = null, address2 = null, city = null, postal_code = null] =
    JSON.parse(text) as (string | null)[];
  return { customer_name, address1, address2, city, postal_code };
}

function ownerOf(merchantId: number): string {
  return `customers of ${merchantId}`;
}

function rowOf(merchantId: number, orderId: number): string {
  return `customer of order ${orderId} of ${merchantId}`;
}
