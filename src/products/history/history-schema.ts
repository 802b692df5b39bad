import type { Success } from '../../http/endpoint/declaration.ts';
import { orNull, record, type Schema } from '../../http/schema.ts';
import type { ProductHistory } from './list-history.ts';
import type { ListedChange, ListedChanges } from './listed-changes.ts';
import type { ChangedValue } from './shown-changes.ts';

/** A value of a field. */
export const valueSchema = { type: ['string', 'number', 'null'] as const };

const changeSchema = record<ChangedValue>('ChangedValue', 'A field that changed.', {
  field: {
    type: 'string',
    description:
      'A field of the product’s record, or `moderation` or `moderation_reasons`. If `variation` is set, a field of that ' +
      'variation. A new variation has one entry, for its `identifier`.',
  },
  variation: {
    ...orNull({ type: 'string' }),
    description: 'The identifier of the variation; null for a field of the product.',
  },
  from: { ...valueSchema, description: 'The value before the change.' },
  to: { ...valueSchema, description: 'The value after the change.' },
});

/**
 * Returns the schema of a list of changes, whose title is `name` with `History`. `of` is for example
 * `a product`, `description` says what `changes` has for a creation, and `members` has what only changes
 * of this record have, by name.
 */
export function historySchema(
  { name, of }: { name: string; of: string },
  {
    items,
    description,
    members = {},
  }: { items: Schema; description: string; members?: Record<string, Schema> },
): Schema {
  const entry = record<ListedChange<unknown>>(`${name}HistoryEntry`, `A change of ${of}.`, {
    ...members,
    at: { type: 'string', format: 'date-time', description: 'When it happened.' },
    action: {
      type: 'string',
      enum: ['created', 'changed'],
      description: 'Whether it was created or changed.',
    },
    who: {
      type: 'string',
      description:
        'Such as `key 12-3`, the name and email of a user of the console, `operator`, or `Tradepost` for what the ' +
        'service does by itself.',
    },
    request_id: {
      ...orNull({ type: 'string' }),
      description: 'The `X-Request-Id` of the call; null if it was not a call, or if a file was imported.',
    },
    import_id: {
      ...orNull({ type: 'string' }),
      description: 'The `id` of the import; null if no file was imported.',
    },
    changes: { type: 'array', items, description },
  });
  return record<ListedChanges<unknown>>(`${name}History`, `Changes of ${of}, newest first.`, {
    results: { type: 'array', items: entry },
    cursor: { type: 'string', description: 'Send it as `after` to get the changes before these.' },
    more: { type: 'boolean', description: 'Whether there are changes before these.' },
  });
}

const listSchema = historySchema(
  { name: 'Product', of: 'a product' },
  {
    items: changeSchema,
    description: 'Empty for a creation, and if the change concerns only what records do not show.',
    members: {
      change_id: {
        type: 'string',
        description:
          'Names the call, or the step of an import, with which `POST imports/undo` undoes it for all products.',
      },
    },
  },
);

const example: ProductHistory = {
  results: [
    {
      change_id: '1772611200000000-0',
      at: '2026-03-04T08:00:00Z',
      action: 'changed',
      who: 'key 12-3',
      request_id: '0b6f2a9e-6a53-4c1c-a3a5-3d7a1f0f6c11',
      import_id: null,
      changes: [
        { field: 'buy_now_price', variation: null, from: 45, to: 39.5 },
        { field: 'quantity', variation: 'VASE-7-BLUE', from: 4, to: 3 },
      ],
    },
    {
      change_id: '1772357400000000-0',
      at: '2026-03-01T09:30:00Z',
      action: 'created',
      who: 'Ada Miller <ada@example.com>',
      request_id: null,
      import_id: '01a1fe4d-7ee8-7b5f-8ec9-1415d7de7fe1',
      changes: [],
    },
  ],
  cursor: 'eUo3TGlfNFNbMTIsIjBmT2s2ZzlBIiwwLDFd',
  more: false,
};

export const historySuccess: Success = {
  description: 'The changes of the product.',
  schema: listSchema,
  examples: { history: { summary: 'A product with one change', value: example } },
};
