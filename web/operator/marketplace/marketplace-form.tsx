import { NativeSelect, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { timeZonesWith } from '../../format/time-zones.ts';
import { queryClient, refresh } from '../../server/query-client.ts';
import { currenciesWith } from '../../settings/currencies.ts';
import styles from '../../settings/settings.module.css';
import { fieldErrors } from '../../ui/field-errors.ts';
import { Form } from '../../ui/form.tsx';
import { call } from '../call.ts';
import { useSession } from '../session.ts';
import { type MarketplaceSettings, marketplaceQuery } from './queries.ts';

/** The form of the marketplace's settings. The server validates them and reports the errors of each field. */
export function MarketplaceForm({ marketplace }: { marketplace: MarketplaceSettings }) {
  const { name, time_zone, currency, is_set: isSet } = marketplace;
  const { brand_name: brandName } = useSession();
  const form = useForm({
    initialValues: { name: isSet ? name : '', time_zone, currency },
    validate: { name: isNotEmpty('Enter the name of the marketplace.') },
  });
  const saving = useMutation({
    mutationFn: (values: typeof form.values) =>
      call('putMarketplace', {}, { ...values, name: values.name.trim() }),
    onSuccess: (saved) => {
      queryClient.setQueryData(marketplaceQuery.queryKey, saved);
      form.setInitialValues({ name: saved.name, time_zone: saved.time_zone, currency: saved.currency });
      form.reset();
      void refresh('session', 'audit', 'overview');
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
      <TextInput
        label="Name of the marketplace"
        description={describeName(brandName)}
        required
        maxLength={100}
        autoComplete="organization"
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label="Time zone"
        description="Decides when days begin on the overview and in the list of orders, and is suggested for new merchants. Merchants keep theirs."
        data={timeZonesWith(time_zone)}
        {...form.getInputProps('time_zone')}
      />
      <NativeSelect
        label="Currency"
        description="Suggested for new merchants. Merchants keep theirs."
        data={currenciesWith(currency)}
        {...form.getInputProps('currency')}
      />
    </Form>
  );
}

/** Says where the marketplace’s name is shown, or what is shown instead. */
export function describeName(brandName: string | null): string {
  return brandName === null
    ? 'What the console, this screen, authenticator apps, and emails call the marketplace.'
    : `Not shown: the setting BRAND_NAME replaces it with “${brandName}”, in the console, this screen, authenticator apps, and emails.`;
}
