import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { timeZonesWith } from '../../format/time-zones.ts';
import { ServerError } from '../../server/server-error.ts';
import { currenciesWith } from '../../settings/currencies.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { call } from '../call.ts';
import { useAllows, useSession } from '../session.ts';
import styles from './merchants.module.css';
import { NewKey } from './new-key.tsx';
import { refreshMerchant } from './queries.ts';

/** The call that creates a merchant also changes an existing one. */
class TakenId extends Error {}

async function exists(id: string): Promise<boolean> {
  try {
    await call('retrieveMerchant', { external_id: id });
    return true;
  } catch (error) {
    if (error instanceof ServerError && error.status === 404) return false;
    throw error;
  }
}

/** Creates a merchant, and shows its first key if the operator may create keys. */
export function CreateMerchant({ onClose }: { onClose: () => void }) {
  const { marketplace } = useSession();
  const mayCreateKeys = useAllows('admin');
  const navigate = useNavigate();
  /** The ID of the merchant that this dialog has created. The request for its key may have failed. */
  const created = useRef('');
  const form = useForm({
    initialValues: {
      name: '',
      external_id: '',
      email: '',
      time_zone: marketplace.time_zone,
      currency: marketplace.currency,
      key: mayCreateKeys,
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      external_id: (id) => (id.trim() === '' ? 'Enter an ID.' : null),
    },
  });
  const id = form.values.external_id.trim();
  const finish = (): void => {
    onClose();
    void navigate({ to: '/merchants/$merchant', params: { merchant: id } });
  };
  const creation = useMutation({
    mutationFn: async ({ key, external_id: _, email, ...fields }: typeof form.values) => {
      const path = { external_id: id };
      if (created.current !== id && (await exists(id))) throw new TakenId();
      await call('putMerchant', path, { ...fields, ...(email !== '' && { email }) });
      created.current = id;
      return key ? await call('createMerchantKey', path, { name: 'First key' }) : undefined;
    },
    onSuccess: async (key) => {
      await refreshMerchant(id);
      if (key !== undefined) return;
      notifications.show({ message: `Merchant “${form.values.name}” created.` });
      finish();
    },
    onError: (problem) =>
      form.setErrors(
        problem instanceof TakenId ? { external_id: 'Another merchant has this ID.' } : fieldErrors(problem),
      ),
  });
  const { data: key } = creation;
  return (
    <DialogForm
      title={key === undefined ? 'Create merchant' : `First key of ${form.values.name}`}
      size="lg"
      closeOnClickOutside={false}
      noValidate
      action="Create merchant"
      mutation={creation}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => creation.mutate(values))}
      onClose={key === undefined ? onClose : finish}
      result={key && <NewKey token={key.access_token} onDone={finish} />}
    >
      <TextInput
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="ID"
        description="Your own ID of the merchant, by which the operator API names it."
        required
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('external_id')}
      />
      <TextInput
        label="Email"
        type="email"
        maxLength={254}
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <div className={styles.pair}>
        <NativeSelect
          label="Time zone"
          data={timeZonesWith(marketplace.time_zone)}
          {...form.getInputProps('time_zone')}
        />
        <NativeSelect
          label="Currency"
          data={currenciesWith(marketplace.currency)}
          {...form.getInputProps('currency')}
        />
      </div>
      {mayCreateKeys && (
        <Checkbox
          label="Create its first key"
          description="A live key with the default permissions, for the merchant’s software."
          {...form.getInputProps('key', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  );
}
