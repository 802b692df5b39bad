import { Checkbox, Radio, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useFormats } from '../format/use-formats.ts';
import { call } from '../server/call.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { amountLeft, inWords, type Order, unitsLeft } from './order.ts';
import styles from './orders.module.css';
import { showOrder } from './queries.ts';
import { ReasonSelect, reasonMissing } from './reason-select.tsx';
import { RestockCheckbox } from './restock-checkbox.tsx';

/** Refunds all that is left of an order, or some of its fees. */
export function RefundOrder({ order, onClose }: { order: Order; onClose: () => void }) {
  const { money, count } = useFormats();
  const fees = Object.entries(order.available_refunds);
  const units = order.product_quantity;
  const form = useForm({
    initialValues: {
      type: 'full',
      fees: fees.map(([name]) => name),
      quantity: String(units),
      reason: '',
      explanation: '',
      restock: false,
    },
    validate: {
      reason: reasonMissing,
      fees: (chosen, { type }) => (type === 'partial' && chosen.length === 0 ? 'Select at least one.' : null),
    },
  });
  const { type, fees: chosen, quantity } = form.values;
  const isPartial = type === 'partial';
  const refunding = useMutation({
    mutationFn: (values: typeof form.values) =>
      call('refundOrder', {
        order_id: order.order_id,
        type,
        reason: values.reason,
        restock: values.restock,
        ...(isPartial && {
          fees: chosen,
          quantity,
          // Sent again, such as after a failure of the network, the request refunds nothing else.
          refund_id: `refund-${order.refunds.length + 1}`,
        }),
        ...(values.explanation.trim() !== '' && { explanation: values.explanation }),
      }),
    onSuccess: (changed) => {
      showOrder(changed);
      notifications.show({ message: `Refund of ${money(changed.refunds.at(-1)?.amount ?? 0)} requested.` });
      onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  const hasUnits = isPartial && units > 1;
  const isPartOfUnits = hasUnits && Number(quantity) < units;
  // An error of a field without an input is shown above the form.
  const inputs = [
    'type',
    'reason',
    'explanation',
    'restock',
    ...(isPartial ? ['fees'] : []),
    ...(hasUnits ? ['quantity'] : []),
  ];
  const sum = fees.reduce(
    (total, [name, amount]) => total + (isPartial && !chosen.includes(name) ? 0 : amount),
    0,
  );
  return (
    <DialogForm
      title={`Refund order ${order.order_id}`}
      action={isPartOfUnits ? `Refund ${count(Number(quantity), 'unit')}` : `Refund ${money(sum)}`}
      button={{ color: 'red' }}
      noValidate
      closeOnClickOutside={false}
      mutation={refunding}
      inputs={inputs}
      onSubmit={form.onSubmit((values) => refunding.mutate(values))}
      onClose={onClose}
    >
      <Radio.Group label="Amount" {...form.getInputProps('type')}>
        <div className={styles.choices}>
          <Radio
            value="full"
            label={`Everything that is left: ${money(amountLeft(order))}`}
            description={unitsLeft(order) > 0 && 'The order is then closed. Don’t ship it.'}
          />
          <Radio value="partial" label="A part" />
        </div>
      </Radio.Group>
      {isPartial && (
        <Checkbox.Group label="What to refund" {...form.getInputProps('fees')}>
          <div className={styles.choices}>
            {fees.map(([name, amount]) => (
              <Checkbox key={name} value={name} label={`${inWords(name)}: ${money(amount)}`} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {hasUnits && (
        <TextInput
          label="Units"
          description={`Of ${count(units, 'unit')}. For fewer, each amount is refunded in proportion.`}
          inputMode="numeric"
          required
          {...form.getInputProps('quantity')}
        />
      )}
      <ReasonSelect {...form.getInputProps('reason')} />
      <Textarea
        label="Explanation"
        description="For your marketplace operator."
        maxLength={500}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('explanation')}
      />
      <RestockCheckbox {...form.getInputProps('restock', { type: 'checkbox' })} />
    </DialogForm>
  );
}
