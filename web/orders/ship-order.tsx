import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useFormats } from '../format/use-formats.ts';
import { call } from '../server/call.ts';
import { Dialog } from '../ui/dialog.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { carrierOptions, isOtherCarrier } from './carriers.ts';
import { type Order, skuOf, unitsLeft } from './order.ts';
import { carriersQuery, showOrder } from './queries.ts';
import { useLastCarrier } from './use-last-carrier.ts';

type Package = Order['packages'][number];

interface Props {
  order: Order;
  /** The package to correct; undefined to ship another one. */
  corrected?: Package | undefined;
  onClose: () => void;
}

const prompts = {
  carrier: 'Select the carrier.',
  tracking_number: 'Enter the tracking number.',
  carrier_name: 'Enter the carrier’s name.',
};

/** Ships units of an order, or corrects a package that the carrier has not scanned yet. */
export function ShipOrder(props: Props) {
  const carriers = useQuery(carriersQuery);
  return (
    // One dialog, also while the carriers load, so that the focus returns to what opened it.
    <Dialog title={titleOf(props)} closeOnClickOutside={false} onClose={props.onClose}>
      <Loaded query={carriers} skeleton={3}>
        {(loaded) => <ShipForm {...props} carriers={loaded} />}
      </Loaded>
    </Dialog>
  );
}

function ShipForm({ order, corrected, onClose, carriers }: Props & { carriers: Record<string, string> }) {
  const { count } = useFormats();
  const [lastCarrier, rememberCarrier] = useLastCarrier();
  const options = carrierOptions(carriers);
  const isListed = (code: string): boolean => options.some(({ value }) => value === code);
  const first = corrected?.carrier ?? (isListed(lastCarrier) ? lastCarrier : '');
  const most = unitsLeft(order) + (corrected?.quantity ?? 0);
  const form = useForm({
    initialValues: {
      carrier: isListed(first) || first === '' ? first : 'other',
      carrier_name: isListed(first) ? '' : first,
      tracking_number: corrected?.tracking_number ?? '',
      tracking_url: corrected?.tracking_url ?? '',
      quantity: String(corrected?.quantity ?? most),
    },
  });
  const { carrier, quantity } = form.values;
  const isOther = isOtherCarrier(carrier);
  const shipping = useMutation({
    mutationFn: ({ carrier_name: name, tracking_url: url, ...values }: typeof form.values) =>
      call('fulfillOrder', {
        order_id: order.order_id,
        ...values,
        ...(isOther && { carrier_name: name }),
        ...(url !== '' && { tracking_url: url }),
        ...(corrected !== undefined && { package_id: corrected.package_id }),
      }),
    onSuccess: (changed) => {
      rememberCarrier(carrier);
      showOrder(changed);
      notifications.show({ message: doneText(changed, corrected) });
      onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem, prompts)),
  });
  const isPart = Number(quantity) < most;
  const hasUnits = most > 1;
  // An error of a field without an input is shown above the form.
  const inputs = [
    'carrier',
    'tracking_number',
    ...(isOther ? ['carrier_name', 'tracking_url'] : []),
    ...(hasUnits ? ['quantity'] : []),
  ];
  return (
    <Form
      text={
        <p className="muted">
          {order.product_name} · <span className="mono">{skuOf(order)}</span> · {count(most, 'unit')}
        </p>
      }
      action={corrected !== undefined ? 'Save' : isPart ? `Ship ${count(Number(quantity), 'unit')}` : 'Ship'}
      noValidate
      mutation={shipping}
      inputs={inputs}
      onSubmit={form.onSubmit((values) => shipping.mutate(values))}
      cancel={
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <NativeSelect
        label="Carrier"
        required
        data={first === '' ? [{ value: '', label: 'Select a carrier' }, ...options] : options}
        {...form.getInputProps('carrier')}
      />
      {isOther && (
        <TextInput
          label="Carrier name"
          required
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('carrier_name')}
        />
      )}
      <TextInput
        label="Tracking number"
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        {...form.getInputProps('tracking_number')}
      />
      {isOther && (
        <TextInput
          label="Tracking link"
          description="Where the customer can follow the package."
          type="url"
          placeholder="https://"
          {...form.getInputProps('tracking_url')}
        />
      )}
      {hasUnits && (
        <TextInput
          label="Units in the package"
          description={`Of ${count(most, 'unit')} left to ship.`}
          inputMode="numeric"
          required
          {...form.getInputProps('quantity')}
        />
      )}
    </Form>
  );
}

function titleOf({ order, corrected }: Pick<Props, 'order' | 'corrected'>): string {
  return corrected === undefined
    ? `Ship order ${order.order_id}`
    : `Correct package of order ${order.order_id}`;
}

function doneText({ order_id: id, status }: Order, corrected: Package | undefined): string {
  if (corrected !== undefined) return 'Package corrected.';
  return status === 'shipped' ? `Order ${id} shipped.` : `Package of order ${id} shipped.`;
}
