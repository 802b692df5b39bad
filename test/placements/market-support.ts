import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PlacementRecord } from '../../src/placements/list/placement-record.ts';
import type { RequestRecord, SentRequest } from '../../src/placements/reserve/auction.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import type { TestMerchant, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** A merchant with one campaign and the products that are in it. */
export interface Bidder {
  merchant: TestMerchant;
  /** The campaign's ID. */
  campaign: string;
}

type Asked = Omit<SentRequest, 'key' | 'category'> & { key?: string; category?: string };

/** Merchants whose products compete in a category of their own, and the operator who asks whom to place. */
export class Market {
  readonly service: TestService;
  readonly category: string;
  readonly operatorToken: string;
  #products = 0;

  private constructor(service: TestService, category: string, operatorToken: string) {
    this.service = service;
    this.category = category;
    this.operatorToken = operatorToken;
  }

  static async open(service: TestService): Promise<Market> {
    return new Market(service, `Category ${randomUUID()}`, await service.newOperatorToken());
  }

  /** Resolves once the products compete. */
  async bidder(
    campaign: Record<string, number>,
    {
      products = ['VASE'],
      fields = {},
    }: { products?: readonly string[]; fields?: Record<string, unknown> } = {},
  ): Promise<Bidder> {
    const merchant = await this.service.newMerchant();
    const json = { name: 'Sale', type: 'AuctionCampaign', ...campaign };
    const created = await this.call(merchant, '/campaigns', json);
    const inCampaign = { campaign_name: 'Sale', category: this.category, available_quantity: 9, ...fields };
    const drafts = products.map((identifier) => draft(identifier, inCampaign));
    const { rejections } = await importDrafts(this.service, merchant, [drafts]);
    assert.deepEqual(rejections, []);
    this.#products += products.length;
    await this.compete(this.#products);
    return { merchant, campaign: created.json<{ internal_id: string }>().internal_id };
  }

  /** A call of a merchant that changes something. */
  async call({ token }: TestMerchant, path: string, json: object): Promise<ClientResponse> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await this.service.request('POST', path, { json, headers });
    assert.equal(response.status, 200, response.text);
    return response;
  }

  async post(requests: readonly object[], service = this.service): Promise<ClientResponse> {
    return await service.operator('POST', '/placements', this.operatorToken, { json: { requests } });
  }

  async askAll(asked: readonly Asked[], service = this.service): Promise<RequestRecord[]> {
    const fields = { category: this.category, currency: 'USD' };
    const requests = asked.map((each) => ({ key: randomUUID(), ...fields, ...each }));
    const response = await this.post(requests, service);
    assert.equal(response.status, 200, response.text);
    return response.json<{ results: RequestRecord[] }>().results;
  }

  async ask(asked: Asked = {}, service = this.service): Promise<RequestRecord> {
    const [result] = await this.askAll([asked], service);
    return result ?? assert.fail();
  }

  /** Resolves once this number of products competes, or is out for a reason of its own. */
  async compete(count: number, service = this.service): Promise<void> {
    await until(async () => {
      const request = { key: randomUUID(), currency: 'USD', category: this.category, floor: 1_000_000 };
      const response = await this.post([request], service);
      if (response.status === 503) return false;
      const [result] = response.json<{ results: RequestRecord[] }>().results;
      return Object.values(result?.losers ?? {}).reduce((sum, each) => sum + each, 0) === count;
    });
  }

  /** Of the present, as the merchant sees them. */
  async placementsOf({ merchant, campaign }: Bidder): Promise<PlacementRecord[]> {
    const response = await this.service.get('/placements', merchant, { campaign, per_page: '1000' });
    assert.equal(response.status, 200, response.text);
    return response.json<{ results: PlacementRecord[] }>().results;
  }

  async report(placement_id: string, outcome: 'delivered' | 'released'): Promise<void> {
    const json = [{ placement_id, outcome }];
    const response = await this.service.operator('POST', '/placements/outcomes', this.operatorToken, {
      json,
    });
    assert.equal(response.json<{ rejected: number }>().rejected, 0, response.text);
  }
}
