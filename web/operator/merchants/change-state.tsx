import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { call } from '../call.ts';
import { type ListedMerchant, refreshMerchant } from './queries.ts';

/** Asks before a merchant is suspended, or active again. */
export function ChangeState({ merchant, onClose }: { merchant: ListedMerchant; onClose: () => void }) {
  const { name, external_id: id, state } = merchant;
  const suspends = state === 'active';
  const change = useMutation({
    mutationFn: () => call('putMerchant', { external_id: id }, { state: suspends ? 'suspended' : 'active' }),
    onSuccess: async () => {
      await refreshMerchant(id);
      notifications.show({ message: `${name} is ${suspends ? 'suspended' : 'active again'}.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={suspends ? `Suspend ${name}?` : `Reactivate ${name}?`}
      action={suspends ? 'Suspend' : 'Reactivate'}
      {...(!suspends && { button: {} })}
      mutation={change}
      onConfirm={() => change.mutate()}
      onClose={onClose}
      text={
        <p>
          {suspends
            ? 'Its keys are refused immediately, its imports stop, its console says that it is closed, and its products get no placements. Its data stays.'
            : 'Its keys and its console work again immediately.'}
        </p>
      }
    />
  );
}
