import { PasswordInput } from '@mantine/core';

interface Props {
  value: string;
  onChange: (value: string) => void;
  label?: string;
  /** The server's reason for rejecting the password. */
  error?: string | undefined;
}

/** An input for a new password. The server checks its strength. */
export function NewPasswordInput({ value, onChange, label = 'New password', error }: Props) {
  return (
    <PasswordInput
      label={label}
      description="At least 10 characters. Use a passphrase of random words."
      name="new-password"
      autoComplete="new-password"
      required
      withAsterisk={false}
      error={error}
      aria-invalid={error !== undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
