import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { signInWithPasskey } from '../session/passkeys.ts';
import { FormError } from '../ui/form-error.tsx';
import { IconFingerprint } from '../ui/icons.ts';
import { usePasskeyAutofill } from './use-passkey-autofill.ts';

interface Props {
  /** Whether the page has an email input, in whose list the browser offers passkeys, too. */
  offers?: boolean;
  onDone: () => void | Promise<void>;
}

/** Signs in with a passkey, for users who do not have to enter anything. */
export function PasskeyButton({ offers = false, onDone }: Props) {
  const signIn = useMutation({
    mutationFn: async () => {
      await signInWithPasskey();
      await onDone();
    },
  });
  const refusal = usePasskeyAutofill({ isOn: offers && !signIn.isPending, onDone });
  return (
    <>
      <FormError error={signIn.error ?? refusal} />
      <Button
        fullWidth
        variant="default"
        leftSection={<IconFingerprint size={17} />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        Sign in with a passkey
      </Button>
    </>
  );
}
