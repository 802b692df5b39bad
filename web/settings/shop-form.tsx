import { NativeSelect, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ShopSettings } from '../../src/console/console-api.ts';
import { timeZonesWith } from '../format/time-zones.ts';
import { queryClient, refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { currenciesWith } from './currencies.ts';
import { shopQuery } from './queries.ts';
import styles from './settings.module.css';

/** The form of the shop's settings. The server validates them and reports the errors of each field. */
export function ShopForm({ shop }: { shop: ShopSettings }) {
  const { name, time_zone, currency } = shop;
  const form = useForm({
    initialValues: { name, time_zone, currency },
    validate: { name: isNotEmpty('Enter a shop name.') },
  });
  const saving = useMutation({
    mutationFn: (body: typeof form.values) => post<ShopSettings>('shop', body),
    onSuccess: (saved) => {
      queryClient.setQueryData(shopQuery.queryKey, saved);
      form.setInitialValues({ name: saved.name, time_zone: saved.time_zone, currency: saved.currency });
      form.reset();
      void refresh('session', 'audit', 'overview', 'sales');
      notifications.show({ message: 'Settings saved.' });
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  return (
    <Form
      className={styles.form}
      noValidate
      action="Save"
      button={{ disabled: !form.isDirty() }}
      mutation={saving}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
    >
      <TextInput label="Shop name" required maxLength={100} {...form.getInputProps('name')} />
      {shop.time_zone_fixed ? (
        <TextInput
          label="Time zone"
          description="Used for all times in the console. Locked: your monthly sales use this time zone."
          readOnly
          value={shop.time_zone}
        />
      ) : (
        <NativeSelect
          label="Time zone"
          description="Used for monthly sales and all times in the console. You can’t change it after your first sale."
          data={timeZonesWith(shop.time_zone)}
          {...form.getInputProps('time_zone')}
        />
      )}
      <NativeSelect
        label="Currency"
        description="The currency of all prices, budgets, and sales. Changing it doesn’t convert amounts: 10.00 stays 10.00."
        data={currenciesWith(shop.currency)}
        {...form.getInputProps('currency')}
      />
    </Form>
  );
}
