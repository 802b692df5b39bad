import type { Success } from '../http/endpoint/declaration.ts';
import { record } from '../http/schema.ts';
import { historySchema, valueSchema } from '../products/history/history-schema.ts';
import type { ListedChanges } from '../products/history/listed-changes.ts';
import type { ChangedCampaignValue } from './list-history.ts';

const changeSchema = record<ChangedCampaignValue>(
  'ChangedCampaignValue',
  'A field of a campaign that changed.',
  {
    field: {
      type: 'string',
      description:
        '`name`, `type`, `status`, an amount, or `hourly_schedule`, whose value has a digit for each slot, such as ' +
        '`00111110`.',
    },
    from: { ...valueSchema, description: 'The value before the change.' },
    to: { ...valueSchema, description: 'The value after the change.' },
  },
);

const example: ListedChanges<ChangedCampaignValue> = {
  results: [
    {
      at: '2026-03-04T08:00:00Z',
      action: 'changed',
      who: 'Ada Miller <ada@example.com>',
      request_id: '0b6f2a9e-6a53-4c1c-a3a5-3d7a1f0f6c11',
      import_id: null,
      changes: [
        { field: 'daily_budget', from: 25.5, to: 40 },
        { field: 'bid_amount', from: 0.75, to: 0.9 },
      ],
    },
    {
      at: '2026-03-01T08:00:00Z',
      action: 'created',
      who: 'key 12-3',
      request_id: '4b1c7f2e-3c38-4f7e-9d38-2f0b4c1d7a55',
      import_id: null,
      changes: [
        { field: 'name', from: null, to: 'Spring sale' },
        { field: 'type', from: null, to: 'AuctionCampaign' },
        { field: 'status', from: null, to: 'Active' },
        { field: 'daily_budget', from: null, to: 25.5 },
        { field: 'bid_amount', from: null, to: 0.75 },
      ],
    },
  ],
  cursor: 'RzJ4U0Z5bE1bMTIsIkdJWkxpSTNMIiwxNzcyMzUyMDAwMDAwMDAwLCJjIl0',
  more: false,
};

export const campaignHistorySuccess: Success = {
  description: 'The changes of the campaign.',
  schema: historySchema(
    { name: 'Campaign', of: 'a campaign' },
    { items: changeSchema, description: 'For a creation, the values that the campaign began with.' },
  ),
  examples: { history: { summary: 'A campaign with one change', value: example } },
};
