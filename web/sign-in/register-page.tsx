import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { timeZonesWith } from '../format/time-zones.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { optionsQuery, sessionQuery } from '../session/session.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { NewPasswordInput } from '../ui/new-password-input.tsx';
import styles from './sign-in.module.css';
import { SignInLayout } from './sign-in-layout.tsx';

const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Registers a shop and its first user, if the operator allows it. */
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
      <SignInLayout
        title="Registration is closed"
        lead="Only your marketplace operator can create accounts. Ask for an invitation link."
      >
        <p className={styles.more}>
          <Link to="/sign-in">Back to sign in</Link>
        </p>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="Register your shop" lead="You can import products right away.">
      <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => mutate(values))}>
        <FormError error={error} inputs={Object.keys(form.values)} />
        <TextInput label="Shop name" autoComplete="organization" {...form.getInputProps('merchant_name')} />
        <NativeSelect
          label="Time zone"
          description="Used for monthly sales."
          data={timeZonesWith(ownTimeZone)}
          {...form.getInputProps('time_zone')}
        />
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput label="Email" type="email" autoComplete="username" {...form.getInputProps('email')} />
        <NewPasswordInput
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
        Already have an account? <Link to="/sign-in">Sign in</Link>
      </p>
    </SignInLayout>
  );
}
