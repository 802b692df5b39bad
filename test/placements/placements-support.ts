import assert from 'node:assert/strict';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { PlacementList } from '../../src/placements/list/list-placements.ts';
import type { PlacementRecord } from '../../src/placements/list/placement-record.ts';
import type { Placement } from '../../src/placements/record/placement.ts';
import { reserve } from '../../src/placements/reserve.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import type { TestMerchant, TestService } from '../support/service.ts';

/** A line of a fact, without what `Advertiser.state` adds. */
export interface Fact {
  placement_id: string;
  product_identifier?: string;
  campaign_id?: string;
  delivered_at?: string;
  price?: number;
}

const NDJSON = { 'content-type': 'application/x-ndjson' };

/** A merchant with the products VASE and BOWL and one campaign, and what the operator does for it. */
export class Advertiser {
  readonly service: TestService;
  readonly merchant: TestMerchant;
  readonly operatorToken: string;
  readonly campaign: string;

  private constructor(
    service: TestService,
    {
      merchant,
      operatorToken,
      campaign,
    }: { merchant: TestMerchant; operatorToken: string; campaign: string },
  ) {
    this.service = service;
    this.merchant = merchant;
    this.operatorToken = operatorToken;
    this.campaign = campaign;
  }

  static async open(
    service: TestService,
    { timeZone = 'UTC', ...budgets }: { timeZone?: string; [budget: string]: string | number } = {},
  ): Promise<Advertiser> {
    const merchant = await service.newMerchant(timeZone);
    await importDrafts(service, merchant, [['VASE', 'BOWL'].map((identifier) => draft(identifier))]);
    const operatorToken = await service.newOperatorToken();
    const json = { name: 'Spring sale', type: 'AuctionCampaign', ...budgets };
    const headers = { authorization: `Bearer ${merchant.token}` };
    const created = await service.request('POST', '/campaigns', { json, headers });
    const { internal_id: campaign } = created.json<{ internal_id: string }>();
    return new Advertiser(service, { merchant, operatorToken, campaign });
  }

  /** Streams lines to `merchants/{id}/{kind}`. */
  async stream(kind: 'placements' | 'schedules', lines: readonly object[]): Promise<ClientResponse> {
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const path = `/merchants/${this.merchant.id}/${kind}`;
    return await this.service.operator('POST', path, this.operatorToken, { body, headers: NDJSON });
  }

  /** States facts. Each is of a VASE that was placed now, for 0.25, unless it says something else. */
  async state(...facts: readonly Fact[]): Promise<ClientResponse> {
    const now = new Date(this.service.now()).toISOString();
    const stated = { campaign_id: this.campaign, product_identifier: 'VASE', delivered_at: now, price: 0.25 };
    return await this.stream(
      'placements',
      facts.map((fact) => ({ ...stated, ...fact })),
    );
  }

  async sell(...schedules: readonly object[]): Promise<ClientResponse> {
    const scheduled_at = new Date(this.service.now()).toISOString();
    const sold = { product_identifier: 'VASE', scheduled_at, sold: true, sale_price: 20 };
    return await this.stream(
      'schedules',
      schedules.map((schedule) => ({ ...sold, ...schedule })),
    );
  }

  /** Reserves a place for the VASE, which expires after 15 minutes. */
  async reserve(price: number): Promise<Placement> {
    const now = this.service.now();
    const caller = { merchantId: this.merchant.id, who: 'test', lowBudget: 80 };
    const [placement] = await runVerb(this.service, caller, reserve, {
      won: [
        {
          campaign_id: this.campaign,
          product_id: 1,
          bid: price * 10_000,
          price: price * 10_000,
          max_daily_schedules: null,
        },
      ],
      expiresAt: now + 15 * 60_000,
    });
    assert.ok(typeof placement === 'object', `not reserved: ${placement}`);
    return placement;
  }

  /** Changes the campaign as its merchant. Resolves to its record. */
  async change(action: string, fields: Record<string, number>): Promise<Campaign> {
    const json = { internal_id: this.campaign, ...fields };
    const headers = { authorization: `Bearer ${this.merchant.token}` };
    const response = await this.service.request('POST', `/campaigns/${action}`, { json, headers });
    assert.equal(response.status, 200, response.text);
    return response.json<Campaign>();
  }

  async report(...lines: readonly object[]): Promise<ClientResponse> {
    return await this.service.operator('POST', '/placements/outcomes', this.operatorToken, { json: lines });
  }

  async list(query: Record<string, string> = { campaign: this.campaign }): Promise<PlacementRecord[]> {
    const response = await this.service.get('/placements', this.merchant, query);
    assert.equal(response.status, 200, response.text);
    return response.json<PlacementList>().results;
  }

  async performance(query: Record<string, string> = {}): Promise<object[]> {
    const asked = { internal_id: this.campaign, ...query };
    const response = await this.service.get('/campaigns/performance', this.merchant, asked);
    assert.equal(response.status, 200, response.text);
    return response.json<{ results: object[] }>().results;
  }
}
