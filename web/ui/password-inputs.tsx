import { PasswordInput, type PasswordInputProps } from '@mantine/core';

interface Props extends Omit<PasswordInputProps, 'onChange' | 'error'> {
  onChange: (value: string) => void;
  /** The server's reason for rejecting the password. */
  error?: string | undefined;
}

/** An input for the user's password. */
export function CurrentPasswordInput({ onChange, error, ...props }: Props) {
  return (
    <PasswordInput
      autoComplete="current-password"
      required
      withAsterisk={false}
      error={error}
      aria-invalid={error !== undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}

/** An input for a new password. The server checks its strength. */
export function NewPasswordInput(props: Props) {
  return (
    <CurrentPasswordInput
      label="New password"
      description="At least 10 characters. Use a passphrase of random words."
      name="new-password"
      autoComplete="new-password"
      {...props}
    />
  );
}
