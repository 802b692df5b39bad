import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import {
  ProductChanged,
  type ProductVersion,
  restoreProduct,
  showProduct,
  writeProduct,
} from '../products/product-version.ts';
import { errorMessage } from '../server/server-error.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from './product.module.css';

const done = {
  enable: 'Product enabled.',
  disable: 'Product disabled.',
  delete: 'Product deleted.',
  restore: 'Product restored.',
} as const;
type Action = keyof typeof done;

/** Enables, disables, deletes or restores a product. With unsaved edits, these are saved or discarded first. */
export function ProductActions({ version, isDirty }: { version: ProductVersion; isDirty: boolean }) {
  const [opened, { open, close }] = useDisclosure(false);
  const { mutate, isPending } = useMutation({
    mutationFn: async (action: Action): Promise<Action> => {
      await (action === 'restore' ? restoreProduct(version.product) : writeProduct(version, { action }));
      return action;
    },
    onSuccess: (action) => {
      notifications.show({ message: done[action] });
      close();
    },
    onError: (error) => {
      if (error instanceof ProductChanged) showProduct(error.current);
      notifications.show({ color: 'red', message: errorMessage(error) });
      close();
    },
  });
  const { status, disabled_at: disabled } = version.product;
  const button = (action: Action, label: string) => (
    // While the action is pending, a disabled button would lose the focus.
    <Button
      variant="default"
      size="compact-sm"
      disabled={isDirty}
      aria-busy={isPending}
      onClick={() => !isPending && mutate(action)}
    >
      {label}
    </Button>
  );
  return (
    <div className={styles.rowActions} title={isDirty ? 'Save or discard your changes first.' : undefined}>
      {status === 'deleted' ? (
        button('restore', 'Restore')
      ) : (
        <>
          {disabled === null && status !== 'disabled'
            ? button('disable', 'Disable')
            : button('enable', 'Enable')}
          <Button variant="default" size="compact-sm" disabled={isDirty} onClick={open}>
            Delete
          </Button>
        </>
      )}
      {opened && (
        <Dialog title="Delete product?" onClose={close}>
          <p>It’s no longer for sale, and keeps its identifier. You can restore it later.</p>
          <div className={styles.dialogButtons}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button color="red" loading={isPending} onClick={() => mutate('delete')}>
              Delete product
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
