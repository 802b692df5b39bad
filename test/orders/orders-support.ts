import assert from 'node:assert/strict';
import { scopes } from '../../src/api-keys/scopes.ts';
import { type SortName, sorts } from '../../src/orders/list/sorts.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { createKey } from '../support/keys.ts';
import type { TestMerchant, TestService } from '../support/service.ts';

/** Pushes orders as the operator, and changes them as a merchant whose key has all scopes. */
export class Shop {
  readonly service: TestService;
  readonly merchant: TestMerchant;
  readonly operatorToken: string;
  /** Of a key that sees customers. */
  readonly token: string;

  private constructor(
    service: TestService,
    merchant: TestMerchant,
    tokens: { operatorToken: string; token: string },
  ) {
    this.service = service;
    this.merchant = merchant;
    this.operatorToken = tokens.operatorToken;
    this.token = tokens.token;
  }

  /** Opens a shop with `VASE`, which has the variations `VASE-S` and `VASE-L` with 5 units each. */
  static async open(service: TestService): Promise<Shop> {
    const merchant = await service.newMerchant();
    const variations = ['VASE-S', 'VASE-L'].map((identifier) => ({ identifier, quantity: 5 }));
    await importDrafts(service, merchant, [[draft('VASE', { title: 'Vase' }, variations)]]);
    const operatorToken = await service.newOperatorToken();
    const { token } = await createKey(service, {
      merchantId: merchant.id,
      name: 'all',
      expiresAt: null,
      scopes,
    });
    return new Shop(service, merchant, { operatorToken, token });
  }

  /** The same shop in another service on its database. */
  in(service: TestService): Shop {
    return new Shop(service, this.merchant, this);
  }

  put(path: string, json: object): Promise<ClientResponse> {
    return this.service.operator('PUT', `/merchants/${this.merchant.id}/orders/${path}`, this.operatorToken, {
      json,
    });
  }

  async push(externalId: string, fields: object = {}): Promise<OrderRecord> {
    const stated = {
      product_identifier: 'VASE',
      variation_identifier: 'VASE-S',
      available_refunds: { buyer_fee: 30, shipping_fee: 5 },
      customer_name: 'A. Customer',
      address1: '1 Main Street',
      city: 'Springfield',
      postal_code: '90210',
      state: 'CA',
      country: 'USA',
      ...fields,
    };
    const response = await this.put(externalId, stated);
    assert.ok(response.status === 200 || response.status === 201, response.text);
    return response.json<OrderRecord>();
  }

  post(path: string, json: object, token = this.token): Promise<ClientResponse> {
    const headers = { authorization: `Bearer ${token}` };
    return this.service.request('POST', `/orders/${path}`, { json, headers });
  }

  /** Changes an order, and returns it. */
  async change(action: string, json: object): Promise<OrderRecord> {
    const response = await this.post(action, json);
    assert.equal(response.status, 200, response.text);
    return response.json<OrderRecord>();
  }

  async refused(action: string, json: object): Promise<string> {
    const response = await this.post(action, json);
    assert.equal(response.status, 400, response.text);
    return response.message;
  }

  async retrieve(orderId: number, token = this.token): Promise<OrderRecord> {
    const response = await this.service.get('/orders/retrieve', { token }, { order_id: String(orderId) });
    assert.equal(response.status, 200, response.text);
    return response.json<OrderRecord>();
  }

  async list(query: Record<string, string> = {}): Promise<OrderRecord[]> {
    const response = await this.service.get('/orders', this, query);
    assert.equal(response.status, 200, response.text);
    return response.json<OrderRecord[]>();
  }

  /** Requests the target of a link, with the token in the header. */
  follow(link: string): Promise<ClientResponse> {
    return this.service.client.request('GET', link, { headers: { authorization: `Bearer ${this.token}` } });
  }

  /** Resolves to why a push is refused. */
  async pushRefused(externalId: string, fields: object): Promise<string> {
    const response = await this.put(externalId, fields);
    assert.equal(response.status, 400, response.text);
    return response.message;
  }

  /** The order as the operator reads it. */
  async read(externalId: string): Promise<OrderRecord> {
    const path = `/merchants/${this.merchant.id}/orders/${externalId}`;
    const response = await this.service.operator('GET', path, this.operatorToken);
    assert.equal(response.status, 200, response.text);
    return response.json<OrderRecord>();
  }

  async stockOf(variation: string): Promise<number> {
    const response = await this.service.get('/variations/retrieve', this, { identifier: variation });
    return response.json<{ quantity: number }>().quantity;
  }
}

/** Orders as a list with this sort order has them. */
export function inOrder(orders: readonly OrderRecord[], sort: SortName): OrderRecord[] {
  const { field, direction } = sorts[sort];
  const sign = direction === 'ASC' ? 1 : -1;
  const keyOf = (order: OrderRecord): number => {
    const value = order[field];
    return typeof value === 'number' ? value : value === null ? -1 : Date.parse(value);
  };
  return orders.toSorted((one, other) => sign * (keyOf(one) - keyOf(other) || one.order_id - other.order_id));
}
