import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { call } from '../call.ts';
import type { OrderAction } from './hold-order.tsx';
import { refreshOrder } from './queries.ts';

/** Asks before the customer’s data is erased, which cannot be undone. The ID has to be typed. */
export function RedactOrder({ merchant, merchantName, order, onClose }: OrderAction) {
  const { external_id: id, status } = order;
  const [typed, setTyped] = useState('');
  const redact = useMutation({
    mutationFn: () => call('redactOrder', { external_id: merchant, order: id }),
    onSuccess: async () => {
      await refreshOrder(merchant, id);
      notifications.show({ message: `The customer’s data of order ${id} is erased.` });
      onClose();
    },
  });
  const isOpen = status !== 'shipped' && status !== 'refunded' && status !== 'canceled';
  return (
    <ConfirmDialog
      title="Erase the customer’s data?"
      text={
        <p>
          Name, address lines, city and postal code of order {id} are erased, for you and for {merchantName}.
          This can’t be undone.
          {isOpen && ' The order isn’t shipped yet: afterwards, nobody knows where to send it.'}
        </p>
      }
      action="Erase for good"
      button={{ color: 'red', disabled: typed.trim() !== id }}
      mutation={redact}
      onConfirm={() => redact.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={`Type the order’s ID to confirm: ${id}`}
        required
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
