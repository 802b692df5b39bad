import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { otherShop } from '../server/shop.ts';
import { useStore } from '../server/store.ts';
import { useSession } from '../session/session.ts';
import { openShop, returnToShop } from '../session/switch-shop.ts';
import { LockedDialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';

/** Covers a page of another shop than the session is in, until the user says which one to go on with. */
export default function OtherShopDialog() {
  const { merchant, shops } = useSession();
  const name = useStore(otherShop);
  const returning = useMutation({ mutationFn: () => returnToShop(merchant.id) });
  return (
    <LockedDialog title={`You switched to ${name} in another tab`}>
      <Form
        text={
          <p className="muted">
            This page shows {merchant.name}. Nothing that you do here can change {name}.
          </p>
        }
        action={`Continue with ${name}`}
        button={{ 'data-autofocus': true }}
        mutation={{ error: returning.error, isPending: false }}
        onSubmit={openShop}
        cancel={
          shops.some(({ id }) => id === merchant.id) && (
            <Button variant="default" loading={returning.isPending} onClick={() => returning.mutate()}>
              Switch back to {merchant.name}
            </Button>
          )
        }
      />
    </LockedDialog>
  );
}
