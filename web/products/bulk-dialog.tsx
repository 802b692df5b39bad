import { Autocomplete, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { BulkPreview } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { post } from '../server/request.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { CurrencySymbol } from './currency-symbol.tsx';
import { filtersOnly, type Listing } from './listing.ts';
import { campaignNamesQuery } from './queries.ts';
import type { Selection } from './use-selection.ts';

const kinds = ['price', 'stock', 'campaign', 'enable', 'disable', 'delete'] as const;

/** A change of many products. */
export interface BulkAction {
  kind: (typeof kinds)[number];
  name: string;
  explanation: string;
}

export const bulkActions: readonly BulkAction[] = [
  { kind: 'price', name: 'Set price', explanation: 'Sets an amount, or changes it by a percentage.' },
  {
    kind: 'stock',
    name: 'Set stock',
    explanation: 'Sets the stock of each product, or of each of its variations.',
  },
  {
    kind: 'campaign',
    name: 'Set campaign',
    explanation: 'Puts the products into a campaign. Leave it empty to remove them from their campaigns.',
  },
  { kind: 'enable', name: 'Enable', explanation: 'Lists the products for sale again.' },
  { kind: 'disable', name: 'Disable', explanation: 'Hides the products until you enable them again.' },
  { kind: 'delete', name: 'Delete', explanation: 'Hides the products. You can restore them.' },
];

const fields = [
  { value: 'buy_now_price', label: 'Buy-now price' },
  { value: 'retail_price', label: 'Retail price' },
  { value: 'minimum_bid_amount', label: 'Minimum bid' },
  { value: 'reserve_price', label: 'Reserve price' },
  { value: 'scheduling_fee_bid', label: 'Scheduling fee bid' },
  { value: 'cost_basis', label: 'Cost basis' },
];
const modes = [
  { value: 'amount', label: 'Set to' },
  { value: 'percent', label: 'Change by percent' },
];

interface Props {
  action: BulkAction;
  /** The number of selected products. */
  count: number;
  listing: Listing;
  selection: Selection;
  onClose: () => void;
}

/** Asks for the values of a bulk change, and leads to its preview. */
export function BulkDialog({
  action: { kind, name, explanation },
  count,
  listing,
  selection,
  onClose,
}: Props) {
  const formats = useFormats();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: {
      field: 'buy_now_price',
      mode: 'amount',
      value: '',
      percent: '',
      quantity: '',
      campaign_name: '',
    },
  });
  const { data: campaigns } = useQuery({ ...campaignNamesQuery, enabled: kind === 'campaign' });
  const preview = useMutation({
    mutationFn: () =>
      post<BulkPreview>('products/bulk', { ...selected(selection, listing), ...changeOf(kind, form.values) }),
    onSuccess: ({ id }) => void navigate({ to: '/products/import', search: { id } }),
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  const { mode } = form.values;
  return (
    <DialogForm
      title={titleOf(kind, name, formats.count(count, 'product'))}
      text={<p className="muted">{explanation} You’ll see a preview before anything changes.</p>}
      action="Preview changes"
      button={kind === 'delete' ? { color: 'red' } : {}}
      mutation={preview}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit(() => preview.mutate())}
      onClose={onClose}
    >
      {kind === 'price' && (
        <>
          <NativeSelect label="Amount" data={fields} data-autofocus {...form.getInputProps('field')} />
          <NativeSelect label="Change" data={modes} {...form.getInputProps('mode')} />
          {mode === 'amount' ? (
            <TextInput
              label="New value"
              leftSection={<CurrencySymbol />}
              leftSectionPointerEvents="none"
              inputMode="decimal"
              required
              {...form.getInputProps('value')}
            />
          ) : (
            <TextInput
              label="Percent"
              description="Like 5 to raise it, or -10 to lower it. Results are rounded to cents."
              inputMode="decimal"
              required
              {...form.getInputProps('percent')}
            />
          )}
        </>
      )}
      {kind === 'stock' && (
        <TextInput
          label="Units"
          inputMode="numeric"
          required
          data-autofocus
          {...form.getInputProps('quantity')}
        />
      )}
      {kind === 'campaign' && (
        <Autocomplete
          label="Campaign"
          data={campaigns ?? []}
          data-autofocus
          {...form.getInputProps('campaign_name')}
        />
      )}
    </DialogForm>
  );
}

function titleOf(kind: BulkAction['kind'], name: string, products: string): string {
  if (kind === 'delete') return `Delete ${products}?`;
  return kind === 'enable' || kind === 'disable' ? `${name} ${products}` : `${name} for ${products}`;
}

/** Returns the parameters that choose the products. */
function selected({ ids, all }: Selection, listing: Listing): object {
  if (!all) return { ids: [...ids].join(',') };
  return { all: true, ...filtersOnly(listing) };
}

/** Returns the parameters of the change itself. */
function changeOf(
  kind: BulkAction['kind'],
  { field, mode, value, percent, quantity, campaign_name: campaign }: Record<string, string>,
): object {
  if (kind === 'price')
    return mode === 'percent' ? { kind: mode, field, percent } : { kind: mode, field, value };
  if (kind === 'stock') return { kind, quantity };
  if (kind === 'campaign') return { kind, campaign_name: campaign === '' ? null : campaign };
  return { kind };
}
