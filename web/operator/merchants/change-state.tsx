import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { call } from '../call.ts';
import { type ListedMerchant, refreshMerchant } from './queries.ts';

/** Asks before a merchant is suspended, or active again. */
export function ChangeState({ merchant, onClose }: { merchant: ListedMerchant; onClose: () => void }) {
  const { name, external_id: id, state } = merchant;
  const suspends = state === 'active';
  const form = useForm({ initialValues: { suspension_reason: '' } });
  const change = useMutation({
    mutationFn: ({ suspension_reason: reason }: typeof form.values) =>
      call(
        'putMerchant',
        { external_id: id },
        suspends
          ? { state: 'suspended', ...(reason.trim() !== '' && { suspension_reason: reason.trim() }) }
          : { state: 'active' },
      ),
    onSuccess: async () => {
      await refreshMerchant(id);
      notifications.show({ message: `${name} is ${suspends ? 'suspended' : 'active again'}.` });
      onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  return (
    <ConfirmDialog
      title={suspends ? `Suspend ${name}?` : `Reactivate ${name}?`}
      action={suspends ? 'Suspend' : 'Reactivate'}
      {...(!suspends && { button: {} })}
      mutation={change}
      inputs={suspends ? ['suspension_reason'] : []}
      onConfirm={() => change.mutate(form.values)}
      onClose={onClose}
      text={
        <p>
          {suspends
            ? 'Its keys are refused immediately, its imports stop, its console says that it is closed, and its products get no placements. Its data stays.'
            : 'Its keys and its console work again immediately.'}
        </p>
      }
    >
      {suspends && (
        <Textarea
          label="Reason"
          description="Optional. The merchant’s users see it in the console."
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('suspension_reason')}
        />
      )}
    </ConfirmDialog>
  );
}
