import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { CustomerData } from '../record/order-record.ts';
import { type CustomerRow, findCustomers } from '../record/queries.ts';

/** Encrypts with a key of the current month, which can be destroyed later (`src/encryption`). */
export interface CustomerKeys {
  /** Only the same `row` decrypts the result. */
  encrypt(text: string, row: string, now: number): Promise<{ key: string; data: Uint8Array }>;
  /** Undefined if the key was destroyed. @throws {KeyFileUnusable} */
  decrypt(encrypted: { key: string; data: Uint8Array }, row: string): Promise<string | undefined>;
}

/** Names and addresses of customers, which are stored encrypted (contract for orders, “Customer data”). */
export class CustomerVault {
  readonly #keys: CustomerKeys;

  constructor(keys: CustomerKeys) {
    this.#keys = keys;
  }

  async encrypt(
    { merchantId, orderId }: { merchantId: number; orderId: number },
    { customer_name, address1, address2, city, postal_code }: CustomerData,
    now: number,
  ): Promise<Pick<CustomerRow, 'merchant_id' | 'order_id' | 'key' | 'data'>> {
    const text = JSON.stringify([customer_name, address1, address2, city, postal_code]);
    const encrypted = await this.#keys.encrypt(text, rowName(merchantId, orderId), now);
    return { merchant_id: merchantId, order_id: orderId, ...encrypted };
  }

  /**
   * Returns the data of the customers of these orders, by the ID of the order. Orders whose data was erased, or
   * whose key was destroyed, are missing.
   * @throws {KeyFileUnusable}
   */
  async reveal(
    reader: Pick<Reader, 'all'>,
    merchantId: number,
    orderIds: readonly number[],
  ): Promise<Map<number, CustomerData>> {
    const rows = await lookUp(reader, findCustomers, merchantId, orderIds);
    const customers = new Map<number, CustomerData>();
    for (const { order_id, key, data } of rows) {
      const text = await this.#keys.decrypt({ key, data }, rowName(merchantId, order_id));
      if (text === undefined) continue;
      // Only `encrypt` writes it.
      const [customer_name, address1, address2, city, postal_code] = JSON.parse(text) as (string | null)[];
      customers.set(order_id, {
        customer_name: customer_name ?? null,
        address1: address1 ?? null,
        address2: address2 ?? null,
        city: city ?? null,
        postal_code: postal_code ?? null,
      });
    }
    return customers;
  }
}

function rowName(merchantId: number, orderId: number): string {
  return `customer ${merchantId} ${orderId}`;
}
