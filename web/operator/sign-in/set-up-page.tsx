import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { SetUpLinkState } from '../../../src/operator/screen/screen-api.ts';
import { timeZonesWith } from '../../format/time-zones.ts';
import { queryClient } from '../../server/query-client.ts';
import { post } from '../../server/request.ts';
import styles from '../../sign-in/sign-in.module.css';
import { SignInLayout } from '../../sign-in/sign-in-layout.tsx';
import { useLinkToken } from '../../sign-in/use-link-token.ts';
import { fieldErrors } from '../../ui/field-errors.ts';
import { Form } from '../../ui/form.tsx';
import { NewPasswordInput } from '../../ui/password-inputs.tsx';
import { optionsQuery, sessionQuery } from '../session.ts';

const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const currencies = Intl.supportedValuesOf('currency');

/** The page that the link of the first start opens: the first operator, and the marketplace. */
export function Page() {
  const token = useLinkToken();
  const navigate = useNavigate();
  // If the state cannot be read, sending the form will tell.
  const { data: link } = useQuery({
    queryKey: ['set-up', token],
    queryFn: ({ signal }) => post<SetUpLinkState>('set-up/check', { token }, { needsSession: false, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({
    initialValues: {
      ...{ marketplace_name: '', time_zone: ownTimeZone, currency: 'EUR' },
      ...{ name: '', email: '', password: '' },
    },
  });
  const setUp = useMutation({
    mutationFn: (values: typeof form.values) =>
      post<void>('set-up', { ...values, token }, { needsSession: false }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(optionsQuery);
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/account', replace: true });
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  if (token === '' || link?.valid === false) {
    return (
      <SignInLayout
        title="This link has expired or was already used"
        lead="Run “tradepost operators invite” to create an operator. While there is no merchant, a restart of the service prints a new link."
      >
        <p className={styles.more}>
          <Link to="/sign-in">Sign in</Link>
        </p>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="Set up your marketplace" lead="You are its first operator, an admin.">
      <Form
        className={styles.form}
        noValidate
        action="Set up"
        mutation={setUp}
        inputs={Object.keys(form.values)}
        onSubmit={form.onSubmit((values) => setUp.mutate(values))}
      >
        <TextInput
          label="Name of the marketplace"
          autoComplete="organization"
          data-autofocus
          {...form.getInputProps('marketplace_name')}
        />
        <NativeSelect
          label="Time zone"
          data={timeZonesWith(ownTimeZone)}
          {...form.getInputProps('time_zone')}
        />
        <NativeSelect
          label="Currency"
          description="Of new merchants. Each one can have another."
          data={currencies}
          {...form.getInputProps('currency')}
        />
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label="Your email"
          description="You sign in with it."
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <NewPasswordInput
          label="Password"
          value={form.values.password}
          onChange={(value) => form.setFieldValue('password', value)}
          error={typeof form.errors.password === 'string' ? form.errors.password : undefined}
        />
      </Form>
    </SignInLayout>
  );
}
