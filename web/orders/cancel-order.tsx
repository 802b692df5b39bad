import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useFormats } from '../format/use-formats.ts';
import { call } from '../server/call.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { amountLeft, type Order } from './order.ts';
import { showOrder } from './queries.ts';
import { ReasonSelect, reasonMissing } from './reason-select.tsx';
import { RestockCheckbox } from './restock-checkbox.tsx';

/** Cancels an order of which nothing has been shipped. */
export function CancelOrder({ order, onClose }: { order: Order; onClose: () => void }) {
  const { money } = useFormats();
  const form = useForm({
    initialValues: { reason: '', restock: true },
    validate: { reason: reasonMissing },
  });
  const canceling = useMutation({
    mutationFn: (values: typeof form.values) => call('cancelOrder', { order_id: order.order_id, ...values }),
    onSuccess: (changed) => {
      showOrder(changed);
      notifications.show({ message: `Order ${changed.order_id} canceled.` });
      onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  return (
    <DialogForm
      title={`Cancel order ${order.order_id}?`}
      text={<p>The customer gets {money(amountLeft(order))} back. You can’t undo this.</p>}
      action="Cancel order"
      cancel="Keep order"
      button={{ color: 'red' }}
      noValidate
      mutation={canceling}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => canceling.mutate(values))}
      onClose={onClose}
    >
      <ReasonSelect data-autofocus {...form.getInputProps('reason')} />
      <RestockCheckbox {...form.getInputProps('restock', { type: 'checkbox' })} />
    </DialogForm>
  );
}
