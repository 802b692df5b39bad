import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { call } from '../call.ts';
import { type Order, refreshOrder } from './queries.ts';

const MAX_REASON = 255;

export interface OrderAction {
  /** The merchant's external ID. */
  merchant: string;
  merchantName: string;
  order: Order;
  onClose: () => void;
}

/** Asks why an order is to be held. */
export function HoldOrder({ merchant, merchantName, order: { external_id: order }, onClose }: OrderAction) {
  const [reason, setReason] = useState('');
  const hold = useMutation({
    mutationFn: () =>
      call('setOrderState', { external_id: merchant, order }, { state: 'held', reason: reason.trim() }),
    onSuccess: async () => {
      await refreshOrder(merchant, order);
      notifications.show({ message: `Order ${order} is on hold.` });
      onClose();
    },
  });
  return (
    <DialogForm
      title={`Hold order ${order}?`}
      action="Hold order"
      closeOnClickOutside={reason === ''}
      mutation={hold}
      onSubmit={() => hold.mutate()}
      onClose={onClose}
      text={
        <p>
          {merchantName} can’t ship, refund or cancel it until it is released. It sees the reason, and your
          name in its audit log.
        </p>
      }
    >
      <TextInput
        label="Reason"
        required
        maxLength={MAX_REASON}
        data-autofocus
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
