import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SERVICE } from '../../src/audit/record-audit.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb, type VerbServices } from '../../src/database/write-context.ts';
import type { LossReason } from '../../src/placements/decide/loss-reasons.ts';
import type { PlacementList } from '../../src/placements/list/list-placements.ts';
import type { PlacementRecord } from '../../src/placements/list/placement-record.ts';
import type { Paces } from '../../src/placements/pacing/paces.ts';
import { type GroupedResult, reserveGroup } from '../../src/placements/reserve/reserve-group.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import type { TestMerchant, TestService } from '../support/service.ts';
import { type Streamed, streamLines } from '../support/streams.ts';

/** A line of a fact, without what `Advertiser.state` adds. */
export interface Fact {
  placement_id: string;
  product_identifier?: string;
  campaign_id?: string;
  delivered_at?: string;
  price?: number;
}

/** Of products whose campaign has no bid: more than any price in the tests. */
export const BID = { scheduling_fee_bid: 1_000 };

/** A place that a product is going to win. Amounts are in cents. */
export interface Won {
  campaign: string;
  /** The internal ID. */
  product: number;
  price: number;
  /** As memory knows it. */
  isCampaignBid?: boolean;
}

/**
 * Reserves places of one merchant whatever others bid, with a request for each, in one transaction. Resolves
 * to the ID of the placement for each, or why there is none.
 */
export async function reservePlaces(
  services: VerbServices,
  merchant: { id: number },
  won: readonly Won[],
  { holdMs = 15 * 60_000, limits = {} }: { holdMs?: number; limits?: Paces['limits'] } = {},
): Promise<(string | { loss: LossReason })[]> {
  const requests = won.map(({ campaign, product, price, isCampaignBid = true }) => ({
    key: randomUUID(),
    rules: { count: 1, floor: price * 100, maxPerMerchant: null, maxPerCampaign: null },
    pricing: { pricing: 'second' as const, minorUnit: 100 },
    holdMs,
    isFinal: true,
    paces: { sittingOut: [], limits },
    shortlist: {
      candidates: [
        {
          ...{ merchantId: merchant.id, campaignId: campaign, productId: product, bid: price * 100 + 100 },
          ...{ isCampaignBid, quality: 1, score: price + 1, maxDailySchedules: null },
          ...{ merchantTurn: 0, campaignTurn: 0, productTurn: 0 },
        },
      ],
      ...{ losers: {}, others: [], rest: 0, end: null },
    },
  }));
  const caller = { merchantId: OPERATOR_ID, who: SERVICE };
  const [call] = await runVerb(services, caller, reserveGroup, [requests], { everyNode: true });
  assert.ok(call !== undefined && 'json' in call);
  const { results } = JSON.parse(call.json) as GroupedResult;
  return results.map((result) => {
    const [placement] = result?.placements ?? [];
    if (placement !== undefined) return placement.placement_id;
    const [loss] = Object.keys(result?.losers ?? {}) as LossReason[];
    assert.ok(loss !== undefined, 'neither reserved nor refused');
    return { loss };
  });
}

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

  /** A line of a fact for `POST merchants/{id}/placements`, with what `state` adds to it. */
  lineOf(fact: Fact): object {
    const delivered_at = new Date(this.service.now()).toISOString();
    const { campaign: campaign_id } = this;
    return { campaign_id, product_identifier: 'VASE', delivered_at, price: 0.25, ...fact };
  }

  /** States facts. Each is of a VASE that was placed now, for 0.25, unless it says something else. */
  async state(...facts: readonly Fact[]): Promise<Streamed> {
    const lines = facts.map((fact) => this.lineOf(fact));
    return await streamLines(this.service, this.merchant, 'placements', lines);
  }

  async sell(...schedules: readonly object[]): Promise<Streamed> {
    const scheduled_at = new Date(this.service.now()).toISOString();
    const sold = { product_identifier: 'VASE', scheduled_at, sold: true, sale_price: 20 };
    const lines = schedules.map((schedule) => ({ ...sold, ...schedule }));
    return await streamLines(this.service, this.merchant, 'schedules', lines);
  }

  /** Puts the VASE into the campaign, and reserves a place for 15 minutes. Resolves to the placement's ID. */
  async reserve(price: number): Promise<string> {
    const vase = draft('VASE', { campaign_name: 'Spring sale', available_quantity: 9, ...BID });
    await importDrafts(this.service, this.merchant, [[vase]]);
    const won = { campaign: this.campaign, product: 1, price: Math.round(price * 100) };
    const [placement] = await reservePlaces(this.service, this.merchant, [won]);
    assert.ok(typeof placement === 'string', `not reserved: ${JSON.stringify(placement)}`);
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
