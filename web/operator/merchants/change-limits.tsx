import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { call } from '../call.ts';
import { type ListedMerchant, refreshMerchant } from './queries.ts';

/** Changes the rate limit of a merchant’s keys, and how many products the merchant may have. */
export function ChangeLimits({ merchant, onClose }: { merchant: ListedMerchant; onClose: () => void }) {
  const { name, external_id: id } = merchant;
  const form = useForm({
    initialValues: {
      request_limit: merchant.request_limit?.toString() ?? '',
      product_limit: merchant.product_limit?.toString() ?? '',
    },
  });
  const change = useMutation({
    mutationFn: (values: typeof form.values) =>
      call(
        'putMerchant',
        { external_id: id },
        Object.fromEntries(
          Object.entries(values).map(([field, text]) => [field, text.trim() === '' ? null : text.trim()]),
        ),
      ),
    onSuccess: async () => {
      await refreshMerchant(id);
      notifications.show({ message: `Limits of ${name} changed.` });
      onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  return (
    <DialogForm
      title={`Limits of ${name}`}
      action="Save"
      mutation={change}
      inputs={Object.keys(form.values)}
      noValidate
      onSubmit={form.onSubmit((values) => change.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label="Rate limit"
        description="Requests a minute of each of its keys. Without a number, the setting RATE_LIMIT applies."
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('request_limit')}
      />
      <TextInput
        label="Product limit"
        description="The merchant can’t create more products. Products that it has stay."
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('product_limit')}
      />
    </DialogForm>
  );
}
