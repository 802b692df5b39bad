import { TextInput, type TextInputProps } from '@mantine/core';

/** The email of an account, which password managers fill in. Browsers offer passkeys in its list. */
export function EmailInput(props: TextInputProps) {
  return (
    <TextInput
      label="Email"
      type="email"
      name="email"
      autoComplete="username webauthn"
      required
      withAsterisk={false}
      {...props}
    />
  );
}
