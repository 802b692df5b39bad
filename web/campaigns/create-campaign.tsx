import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import styles from './campaigns.module.css';
import { amountFields } from './campaigns-table.tsx';

const empty = {
  name: '',
  type: 'AuctionCampaign',
  bid_amount: '',
  daily_budget: '',
  daily_budget_per_product: '',
  lifetime_budget: '',
  lifetime_budget_per_product: '',
};

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The allowed types, or null if any type is allowed. */
  types: string[] | null;
}

/** A form for a new campaign. The server validates it by the rules of the API and reports the errors of each field. */
export function CreateCampaign({ opened, onClose, types }: Props) {
  const form = useForm({ initialValues: empty });
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: (values: typeof empty) => {
      const type = types === null || types.includes(values.type) ? values.type : (types[0] ?? values.type);
      return request<Campaign>('campaigns', { method: 'POST', body: { ...values, type } });
    },
    onSuccess: ({ name }) => {
      for (const queryKey of [['campaigns'], ['overview'], ['audit']])
        void queryClient.invalidateQueries({ queryKey });
      notifications.show({ message: `Campaign “${name}” created.` });
      close();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  const close = (): void => {
    onClose();
    form.reset();
    reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Create campaign"
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => mutate(values))}>
        <FormError error={Object.keys(form.errors).length > 0 ? null : error} />
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        {types === null ? (
          <TextInput label="Type" required {...form.getInputProps('type')} />
        ) : (
          <NativeSelect label="Type" required data={types} {...form.getInputProps('type')} />
        )}
        <div className={styles.amounts}>
          {amountFields.map(({ name, label }) => (
            <TextInput
              key={name}
              label={label}
              inputMode="decimal"
              placeholder={name === 'bid_amount' ? 'None' : 'No limit'}
              autoComplete="off"
              {...form.getInputProps(name)}
            />
          ))}
        </div>
        <p className="muted small">Amounts are in your shop’s currency. Use a decimal point: 12.50</p>
        <div className={styles.buttons}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Create
          </Button>
        </div>
      </form>
    </Modal>
  );
}
