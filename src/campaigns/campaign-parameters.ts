import { pageParameters } from '../http/pages/pages.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import {
  amount,
  bit,
  clearable,
  cursor,
  ignored,
  oneOf,
  type ParameterType,
  text,
} from '../http/parameters/types.ts';
import { campaignStatuses } from './campaign.ts';
import { exampleCampaign, slotSchemas } from './campaign-schema.ts';

export const campaignName = text(255);
const type = text(100);

/** Longer than any id, so that an invalid id gets the same response as an unknown one. */
export const campaignId = {
  type: text(1000),
  description: 'The `internal_id` of the campaign.',
  example: exampleCampaign.internal_id,
};

/** `name` is the other way to name a campaign. */
export const campaignIdOrName = {
  ...campaignId,
  description: 'The `internal_id` of the campaign. Or send `name`.',
};

const amounts = {
  daily_budget: {
    type: amount,
    description: 'The maximum to spend per day in the merchant’s time zone, in the merchant’s currency.',
    example: 25.5,
  },
  bid_amount: {
    type: amount,
    description: 'The bid for a place, in the merchant’s currency.',
    example: 0.75,
  },
  daily_budget_per_product: {
    type: amount,
    description: 'The maximum to spend per day on one product, in the merchant’s currency, such as 5.',
  },
  lifetime_budget: {
    type: amount,
    description: 'The maximum to spend in total, in the merchant’s currency.',
    example: 1200,
  },
  lifetime_budget_per_product: {
    type: amount,
    description: 'The maximum to spend in total on one product, in the merchant’s currency, such as 150.',
  },
};

const slot = { type: bit };

const scheduleType: ParameterType<never> = {
  expected: 'an object with the slots 0 to 7, each 0 or 1',
  schema: { type: 'object', properties: slotSchemas, additionalProperties: false },
  read: () => undefined,
};

const hourlySchedule = {
  type: scheduleType,
  members: { 0: slot, 1: slot, 2: slot, 3: slot, 4: slot, 5: slot, 6: slot, 7: slot },
};

/** A new campaign (specification, 4.2). `types` lists the allowed types, null for any. */
export function campaignParameters(types: string[] | null) {
  const allowed: ParameterType<string> = types === null ? type : oneOf(types);
  return {
    name: {
      type: campaignName,
      required: true,
      description: 'The campaign name. Names need not be unique.',
      example: exampleCampaign.name,
    },
    type: {
      type: allowed,
      required: true,
      description: 'The campaign type.',
      example: exampleCampaign.type,
    },
    ...amounts,
    hourly_schedule: {
      ...hourlySchedule,
      description:
        'When the campaign competes, in slots of three hours in the merchant’s time zone. Missing slots are 1.',
    },
  } as const;
}

export type CampaignInput = BoundParameters<ReturnType<typeof campaignParameters>>;

export const listParameters = {
  status: {
    type: oneOf(campaignStatuses),
    description: 'Returns only campaigns with this status.',
    example: 'Active',
  },
  ...pageParameters('campaigns'),
  changed_since: {
    type: cursor,
    description:
      'Lists changes: `start` for everything, or the `cursor` of an earlier response. Can only be combined with `per_page`.',
    example: 'start',
  },
} as const;

const clearableAmount = clearable(amount);
const readOnly = (name: string) => ({
  null: 'refused' as const,
  description: `Read-only: only the current \`${name}\` is accepted.`,
});

/** A record that was read earlier may have another value. */
const figure = {
  type: ignored,
  description: 'A figure of the campaign. Read-only: any value is accepted and ignored.',
};

/**
 * The whole record; only name, amounts and schedule can change. Without `internal_id`, `name` finds the
 * campaign.
 */
export const updateParameters = {
  name: {
    type: campaignName,
    null: 'refused',
    description: 'The new name of the campaign or, without `internal_id`, the current one.',
    example: exampleCampaign.name,
  },
  type: { type, ...readOnly('type') },
  daily_budget: { ...amounts.daily_budget, ...clearableAmount },
  bid_amount: { ...amounts.bid_amount, ...clearableAmount },
  status: { type: oneOf(campaignStatuses), ...readOnly('status') },
  daily_budget_per_product: { ...amounts.daily_budget_per_product, ...clearableAmount },
  lifetime_budget: { ...amounts.lifetime_budget, ...clearableAmount },
  lifetime_budget_per_product: { ...amounts.lifetime_budget_per_product, ...clearableAmount },
  internal_id: campaignIdOrName,
  created_at: { type: text(100), ...readOnly('created_at') },
  updated_at: { type: text(100), ...readOnly('updated_at') },
  products: figure,
  spend_today: figure,
  spend: figure,
  placements: figure,
  limited_by: figure,
  hourly_schedule: {
    ...hourlySchedule,
    ...clearable(scheduleType),
    description:
      'When the campaign competes, in slots of three hours in the merchant’s time zone. Slots that are not sent stay as ' +
      'they are; null means always.',
  },
} as const;

export type UpdateInput = BoundParameters<typeof updateParameters>;
