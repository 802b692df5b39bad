import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { fieldErrors } from '../feedback/field-errors.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { optionsQuery, sessionQuery } from '../session/session.ts';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { FormProblem } from './form-problem.tsx';
import { NewPassword } from './new-password.tsx';

const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const timeZones = [...new Set(['UTC', ownTimeZone, ...Intl.supportedValuesOf('timeZone')])].sort();

/** A new shop and its first user; where the operator allows it. */
export function Page() {
  const { data: options } = useQuery(optionsQuery);
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { merchant_name: '', time_zone: ownTimeZone, name: '', email: '', password: '' },
  });
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: typeof form.values) =>
      request<void>('registration', { method: 'POST', body, needsSession: false }),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/', replace: true });
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  if (options?.self_registration === false) {
    return (
      <Door
        title="Registration is closed"
        lead="Who runs this Tradepost makes the accounts here. Ask them for a link."
      >
        <p className={styles.more}>
          <Link to="/sign-in">Go to sign-in</Link>
        </p>
      </Door>
    );
  }
  return (
    <Door title="Register your shop" lead="You can bring your products in as soon as this is done.">
      <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => mutate(values))}>
        <FormProblem error={Object.keys(form.errors).length > 0 ? null : error} />
        <TextInput
          label="Name of the shop"
          autoComplete="organization"
          {...form.getInputProps('merchant_name')}
        />
        <NativeSelect
          label="Time zone"
          description="Your sales are added up by calendar months there."
          data={timeZones}
          {...form.getInputProps('time_zone')}
        />
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <NewPassword
          label="Password"
          value={form.values.password}
          onChange={(value) => form.setFieldValue('password', value)}
          error={typeof form.errors.password === 'string' ? form.errors.password : undefined}
        />
        <Button type="submit" loading={isPending}>
          Register
        </Button>
      </form>
      <p className={styles.more}>
        Have an account already? <Link to="/sign-in">Sign in</Link>
      </p>
    </Door>
  );
}
