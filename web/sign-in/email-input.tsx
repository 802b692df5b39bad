import { TextInput, type TextInputProps } from '@mantine/core';

/** The email of an account, which password managers fill in. */
export function EmailInput(props: TextInputProps) {
  return (
    <TextInput
      label="Email"
      type="email"
      name="email"
      autoComplete="username"
      required
      withAsterisk={false}
      {...props}
    />
  );
}
