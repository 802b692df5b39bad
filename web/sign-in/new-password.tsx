import { PasswordInput } from '@mantine/core';

interface Props {
  value: string;
  onChange: (value: string) => void;
  label?: string;
  /** What the server says against it. */
  error?: string | undefined;
}

/** How long it has to be is the server's to say, and its words stand beside the field. */
export function NewPassword({ value, onChange, label = 'New password', error }: Props) {
  return (
    <PasswordInput
      label={label}
      description="At least 10 characters. Several words that nobody would guess are good."
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
