import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { call } from '../call.ts';
import type { OrderAction } from './hold-order.tsx';
import { refreshOrder } from './queries.ts';

/** Asks before an order that is on hold is released. */
export function ReleaseOrder({
  merchant,
  merchantName,
  order: { external_id: order },
  onClose,
}: OrderAction) {
  const release = useMutation({
    mutationFn: () => call('setOrderState', { external_id: merchant, order }, { state: 'released' }),
    onSuccess: async () => {
      await refreshOrder(merchant, order);
      notifications.show({ message: `Order ${order} is released.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Release order ${order}?`}
      text={<p>The order has its earlier status again. If it is paid, {merchantName} can ship it.</p>}
      action="Release order"
      button={{}}
      mutation={release}
      onConfirm={() => release.mutate()}
      onClose={onClose}
    />
  );
}
