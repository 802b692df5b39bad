import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { timeZonesWith } from '../format/time-zones.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { sessionQuery } from '../session/session.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { NewPasswordInput } from '../ui/new-password-input.tsx';
import styles from './sign-in.module.css';

const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface Props {
  /** The link that confirmed the email, which then cannot be changed. */
  link?: { token: string; email: string };
  /** Called after the server refused the link, not what was entered. */
  onLinkRefused?: () => void;
}

/** Registers a shop and its first user, and opens the console. */
export function RegistrationForm({ link, onLinkRefused }: Props) {
  const navigate = useNavigate();
  const email = link?.email ?? '';
  const form = useForm({
    initialValues: { merchant_name: '', time_zone: ownTimeZone, name: '', email, password: '' },
  });
  const { mutate, error, isPending } = useMutation({
    mutationFn: (values: typeof form.values) =>
      request<void>('registration', {
        method: 'POST',
        body: { ...values, token: link?.token },
        needsSession: false,
      }),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/', replace: true });
    },
    onError: (problem) => {
      const errors = fieldErrors(problem);
      form.setErrors(errors);
      if ('token' in errors || 'email' in errors) onLinkRefused?.();
    },
  });
  return (
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
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        readOnly={link !== undefined}
        {...form.getInputProps('email')}
      />
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
  );
}
