import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import {
  type ProductAction,
  ProductChanged,
  type ProductVersion,
  restoreProduct,
  showProduct,
  writeProduct,
} from '../products/product-version.ts';
import { ConfirmDialog } from '../ui/dialog-form.tsx';
import { showError } from '../ui/notify.tsx';
import styles from './product.module.css';

type Action = ProductAction | 'restore';

const done: Record<Action, string> = {
  enable: 'Product enabled.',
  enable_catalog_only: 'Product limited to the catalog.',
  disable: 'Product disabled.',
  delete: 'Product deleted.',
  restore: 'Product restored.',
};

/**
 * Enables, disables, deletes or restores a product, or limits it to the catalog. Unsaved edits must be saved
 * or discarded first.
 */
export function ProductActions({ version, isDirty }: { version: ProductVersion; isDirty: boolean }) {
  const [opened, { open, close }] = useDisclosure(false);
  const writing = useMutation({
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
      showError(error);
      close();
    },
  });
  const { status, disabled_at: disabledAt, catalog_only_at: catalogOnlyAt } = version.product;
  const isDisabled = disabledAt !== null || status === 'disabled';
  const button = (action: Action, label: string) => (
    // While the action is pending, a disabled button would lose the focus.
    <Button
      variant="default"
      size="compact-sm"
      disabled={isDirty}
      aria-busy={writing.isPending}
      onClick={() => !writing.isPending && writing.mutate(action)}
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
          {isDisabled ? button('enable', 'Enable') : button('disable', 'Disable')}
          {isDisabled || catalogOnlyAt === null
            ? button('enable_catalog_only', isDisabled ? 'Enable in catalog only' : 'Limit to catalog')
            : button('enable', 'Allow auctions')}
          <Button variant="default" size="compact-sm" disabled={isDirty} onClick={open}>
            Delete
          </Button>
        </>
      )}
      {opened && (
        <ConfirmDialog
          title="Delete product?"
          text={<p>It’s no longer for sale, and keeps its identifier. You can restore it later.</p>}
          action="Delete product"
          mutation={writing}
          onConfirm={() => writing.mutate('delete')}
          onClose={close}
        />
      )}
    </div>
  );
}
