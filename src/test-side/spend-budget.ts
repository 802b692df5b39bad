import { randomUUIDv7 } from 'node:crypto';
import type { CampaignState } from '../campaigns/campaign.ts';
import { isSpent } from '../campaigns/campaign-spend.ts';
import { idOfNamedCampaign } from '../campaigns/id-of-campaign.ts';
import { findCampaign, listCampaignsOfStatusBefore, lockCampaign } from '../campaigns/queries.ts';
import { errors } from '../errors/errors.ts';
import { dayIn } from '../merchants/time-zone.ts';
import type { FactDraft } from '../placements/facts/fact-draft.ts';
import { writeFacts } from '../placements/facts/import-facts.ts';
import { amountOf, MAX_UNITS, minorUnitOf, unitsOf } from '../shared/amounts.ts';
import { acceptedBy } from './accepted.ts';
import { findNewestProductOfCampaign } from './queries.ts';
import type { Made, TriggerContext, TriggerInput } from './triggered.ts';

/** A price has a limit, so a large budget is spent by several placements. */
const MAX_PLACEMENTS = 100;
/** Without a choice of the caller, a campaign is taken from the newest ones. */
const MAX_SEARCHED = 100;
const AFTER_ALL_IDS = '~';

/**
 * Spends what is left of a campaign's budget with placements that the operator could have stated: today's
 * budget or the lifetime budget, whichever is nearer to its end. What is left is rounded up to the currency's
 * minor unit, because a rest could still be spent.
 */
export async function spendBudget(context: TriggerContext, { campaign }: TriggerInput): Promise<Made> {
  const { connection, merchantId, now, merchant } = context;
  const id =
    campaign === undefined
      ? await campaignToSpend(context)
      : await idOfNamedCampaign(context, 'campaign', campaign);
  // No other placement may be written meanwhile.
  await connection.first(lockCampaign, { merchantId, id });
  const state = await connection.first(findCampaign, { merchantId, id });
  if (state === undefined) throw errors.campaign_not_found(id);
  const problem = problemOf(context, state);
  if (problem !== undefined) throw refuse(`the campaign ${state.name} ${problem}`);
  const rest = restOf(context, state) ?? 0;
  const unit = minorUnitOf(merchant.currency);
  const amount = Math.ceil(rest / unit) * unit;
  if (amount > MAX_PLACEMENTS * MAX_UNITS) {
    const most = amountOf(MAX_PLACEMENTS * MAX_UNITS).toLocaleString('en');
    throw refuse(`the campaign ${state.name} has more than ${most} left; lower its budget first`);
  }
  const product = await connection.first(findNewestProductOfCampaign, { merchantId, name: state.name });
  if (product === undefined) throw refuse(`the campaign ${state.name} ${NO_PRODUCTS}`);
  const placement_id = `trigger-${randomUUIDv7()}`;
  const { identifier: product_identifier } = product;
  const facts: FactDraft[] = [];
  for (let left = amount; left > 0; left -= MAX_UNITS) {
    facts.push({
      merchant: null,
      placement_id: facts.length === 0 ? placement_id : `${placement_id}.${facts.length + 1}`,
      campaign_id: id,
      product_identifier,
      delivered_at: now,
      price: Math.min(left, MAX_UNITS),
    });
  }
  acceptedBy(await writeFacts(context, merchant, facts));
  return { product_identifier, campaign_id: id, placement_id, amount: amountOf(amount) };
}

const NO_PRODUCTS = 'has no products; set the campaign_name of a product to its name';

function refuse(reason: string): Error {
  return errors.invalid_parameters([{ field: 'campaign', reason }]);
}

/** Why there is nothing to spend, and what to do; undefined if there is. Continues the campaign's name. */
function problemOf(context: TriggerContext, state: CampaignState): string | undefined {
  const { status, daily_budget, lifetime_budget, products } = state;
  if (status === 'Expired') return 'has ended; expected an active campaign';
  if (status === 'Paused') return 'is paused; resume it with POST campaigns/resume';
  if (daily_budget === null && lifetime_budget === null)
    return 'has no budget; set daily_budget or lifetime_budget with POST campaigns/update';
  if (restOf(context, state) === undefined)
    return 'has spent its budget already; raise daily_budget or lifetime_budget with POST campaigns/update';
  return products === 0 ? NO_PRODUCTS : undefined;
}

/** Returns the rest of the budget that is nearer to its end, in units; undefined if nothing can be spent. */
function restOf({ merchant, now }: TriggerContext, state: CampaignState): number | undefined {
  const { daily_budget, lifetime_budget, spend, spend_day } = state;
  const today = spend_day === dayIn(merchant.time_zone)(now) ? state.spend_today : 0;
  const budgets = [
    { budget: daily_budget, spent: today },
    { budget: lifetime_budget, spent: spend },
  ];
  const rests = budgets.flatMap(({ budget, spent }) =>
    budget === null || isSpent(budget, spent, state) ? [] : [unitsOf(budget) - spent],
  );
  return state.status === 'Active' && rests.length > 0 ? Math.min(...rests) : undefined;
}

async function campaignToSpend(context: TriggerContext): Promise<string> {
  const { connection, merchantId } = context;
  const newest = await connection.all(listCampaignsOfStatusBefore, {
    ...{ merchantId, status: 'Active', before: AFTER_ALL_IDS },
    ...{ offset: 0, limit: MAX_SEARCHED },
  });
  const found = newest.find((state) => problemOf(context, state) === undefined);
  if (found !== undefined) return found.id;
  throw refuse(
    'missing, and the test side has no active campaign with products and a budget to spend; create one with POST ' +
      'campaigns and set the campaign_name of a product to its name, or call POST test/reset with samples=true',
  );
}
