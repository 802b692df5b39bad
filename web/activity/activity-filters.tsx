import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { amountFields } from '../campaigns/amount-fields.ts';
import { keysQuery } from '../keys/queries.ts';
import { auctions, details, images, prices, shipping } from '../products/fields.ts';
import { teamQuery } from '../team/queries.ts';
import { withCurrent } from '../ui/with-current.ts';
import styles from './activity.module.css';
import { fieldLabel } from './change-words.ts';
import type { ActivitySearch } from './queries.ts';

const types = [
  { value: 'product', label: 'Products' },
  { value: 'campaign', label: 'Campaigns' },
  { value: 'order', label: 'Orders' },
  { value: 'key', label: 'API keys' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'user', label: 'Users and sign-ins' },
  { value: 'settings', label: 'Settings' },
];

/** The stock of variations is part of the stock of their product. */
const productFields = [
  'status',
  'available_quantity',
  ...[details, prices, images, auctions, shipping].flatMap(({ fields }) => fields.map(({ name }) => name)),
  'moderation',
];
const orderFields = [
  ...['status', 'fulfillment_due_date', 'carrier', 'shipped_at', 'state', 'amount'],
  ...['fees', 'seller_fees', 'disbursement_amount'],
];
const campaignFields = ['name', 'status', 'type', ...amountFields.map(({ name }) => name), 'hourly_schedule'];

/** Each filter is in the URL. */
export function ActivityFilters({ search }: { search: ActivitySearch }) {
  const navigate = useNavigate();
  const { who, type, day, field } = search;
  const change = (changes: ActivitySearch): void => {
    const given = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== '');
    void navigate({ to: '/activity', search: Object.fromEntries(given), resetScroll: false });
  };
  const fields = fieldsOf(type);
  const people = usePeople();
  return (
    <div className={styles.filters}>
      <NativeSelect
        label="Done by"
        value={who ?? ''}
        data={[{ value: '', label: 'Anyone' }, ...withCurrent(people, who)]}
        onChange={(event) => change({ who: event.currentTarget.value })}
      />
      <NativeSelect
        label="Type"
        value={type ?? ''}
        data={[{ value: '', label: 'All types' }, ...withCurrent(types, type)]}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          const keepsField = field !== undefined && fieldsOf(chosen).includes(field);
          change({ type: chosen, ...(!keepsField && { field: '' }) });
        }}
      />
      <NativeSelect
        label="Field"
        value={field ?? ''}
        disabled={fields.length === 0}
        data={[
          { value: '', label: 'Any field' },
          ...withCurrent(
            fields.map((name) => ({ value: name, label: fieldLabel(name) })),
            field,
          ),
        ]}
        onChange={(event) => change({ field: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Day"
        value={day ?? ''}
        onChange={(event) => change({ day: event.currentTarget.value })}
      />
      {[who, type, day, field].some((value) => value !== undefined) && (
        <Button variant="default" onClick={() => void navigate({ to: '/activity', resetScroll: false })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** The fields that entries of a type can change. */
function fieldsOf(type: string | undefined): string[] {
  if (type === 'campaign') return campaignFields;
  if (type === 'product') return productFields;
  if (type === 'order') return orderFields;
  if (type === undefined || type === '')
    return [...new Set([...productFields, ...campaignFields, ...orderFields])];
  return [];
}

/** Who may have done something: the team, the keys, the marketplace, and the service. */
function usePeople(): { value: string; label: string }[] {
  const team = useQuery(teamQuery).data?.members ?? [];
  const keys = useInfiniteQuery(keysQuery).data?.pages.flatMap((part) => part.keys) ?? [];
  return [
    ...team.map(({ name, email }) => ({ value: `user:${name} <${email}>`, label: `${name} (${email})` })),
    ...keys
      .filter(({ mode }) => mode === 'live')
      .map(({ id, name }) => ({ value: `key:${id}`, label: `Key ${name}` })),
    { value: 'operator', label: 'Operator' },
    { value: 'service', label: 'Tradepost' },
  ];
}
