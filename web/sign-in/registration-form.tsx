import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { timeZonesWith } from '../format/time-zones.ts';
import { queryClient } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { sessionQuery } from '../session/session.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { NewPasswordInput } from '../ui/password-inputs.tsx';
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
  const registration = useMutation({
    mutationFn: (values: typeof form.values) =>
      post<void>('registration', { ...values, token: link?.token }, { needsSession: false }),
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
    <Form
      className={styles.form}
      noValidate
      action="Register"
      mutation={registration}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => registration.mutate(values))}
    >
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
    </Form>
  );
}
