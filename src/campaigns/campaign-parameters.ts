import { pageParameters } from '../http/pages/pages.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { amount, clearable, cursor, oneOf, type ParameterType, text } from '../http/parameters/types.ts';
import { campaignStatuses } from './campaign.ts';

const name = text(255);
const type = text(100);
/** Longer than any id, so that an invalid id gets the same response as an unknown one. */
const internalId = text(1000);

/** A new campaign (specification, 4.2). `types` lists the allowed types, null for any. */
export function campaignParameters(types: string[] | null) {
  const allowed: ParameterType<string> = types === null ? type : oneOf(types);
  return {
    name: { type: name, required: true },
    type: { type: allowed, required: true },
    daily_budget: { type: amount },
    bid_amount: { type: amount },
    daily_budget_per_product: { type: amount },
    lifetime_budget: { type: amount },
    lifetime_budget_per_product: { type: amount },
  } as const;
}

export type CampaignInput = BoundParameters<ReturnType<typeof campaignParameters>>;

export const listParameters = {
  status: { type: oneOf(campaignStatuses) },
  ...pageParameters,
  changed_since: { type: cursor },
} as const;

export const idParameters = { internal_id: { type: internalId, required: true } } as const;

/** One of them is sent. */
export const actionParameters = { internal_id: { type: internalId }, name: { type: name } } as const;

const clearableAmount = clearable(amount);

/** The whole record; only name and amounts can change. Without `internal_id`, `name` finds the campaign. */
export const updateParameters = {
  name: { type: name, null: 'refused' },
  type: { type, null: 'refused' },
  daily_budget: clearableAmount,
  bid_amount: clearableAmount,
  status: { type: oneOf(campaignStatuses), null: 'refused' },
  daily_budget_per_product: clearableAmount,
  lifetime_budget: clearableAmount,
  lifetime_budget_per_product: clearableAmount,
  internal_id: actionParameters.internal_id,
  created_at: { type: text(100), null: 'refused' },
  updated_at: { type: text(100), null: 'refused' },
} as const;

export type UpdateInput = BoundParameters<typeof updateParameters>;
