import type { Success } from '../../http/endpoint/declaration.ts';
import { orNull, record } from '../../http/schema.ts';
import { historySchema, valueSchema } from '../../products/history/history-schema.ts';
import type { ListedChanges } from '../../products/history/listed-changes.ts';
import type { ChangedOrderValue } from './list-history.ts';

const place = orNull({ type: 'integer', minimum: 1 });

const changeSchema = record<ChangedOrderValue>('ChangedOrderValue', 'A field of an order that changed.', {
  field: {
    type: 'string',
    description:
      'A field of the order’s record, `fees.` with the name of a fee that the buyer paid, or `seller_fees.` with a type ' +
      'of seller fee. If `package` or `refund` is set, a field of that package or refund.',
  },
  package: {
    ...place,
    description:
      'The place of the package in `packages` after the change, from 1. A new package has no values before the change, ' +
      'and a removed one, with its place before the change, none after it. Null for other fields.',
  },
  refund: { ...place, description: 'The place of the refund in `refunds`, from 1; null for other fields.' },
  from: { ...valueSchema, description: 'The value before the change.' },
  to: { ...valueSchema, description: 'The value after the change.' },
});

const example: ListedChanges<ChangedOrderValue> = {
  results: [
    {
      at: '2026-03-04T08:00:00Z',
      action: 'changed',
      who: 'key 12-3',
      request_id: '0b6f2a9e-6a53-4c1c-a3a5-3d7a1f0f6c11',
      import_id: null,
      changes: [
        { field: 'status', package: null, refund: null, from: 'paid', to: 'shipped' },
        { field: 'carrier', package: 1, refund: null, from: null, to: 'ups' },
        { field: 'quantity', package: 1, refund: null, from: null, to: 1 },
        { field: 'shipped_at', package: 1, refund: null, from: null, to: '2026-03-04T08:00:00Z' },
        { field: 'state', package: 1, refund: null, from: null, to: 'shipped' },
      ],
    },
    {
      at: '2026-03-03T17:12:00Z',
      action: 'created',
      who: 'operator',
      request_id: '4b1c7f2e-3c38-4f7e-9d38-2f0b4c1d7a55',
      import_id: null,
      changes: [],
    },
  ],
  cursor: 'cUtnQ0g5NWRbMTIsIkh4eVNkQVhjIiwwLDBd',
  more: false,
};

export const orderHistorySuccess: Success = {
  description: 'The changes of the order.',
  schema: historySchema(
    { name: 'Order', of: 'an order' },
    { items: changeSchema, description: 'Empty for a creation.' },
  ),
  examples: { history: { summary: 'An order that was shipped', value: example } },
  isPrivate: true,
};
