import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../../server/query-client.ts';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { call } from '../call.ts';
import type { ListedImport } from './queries.ts';

/** Whether an import has ended, and has changed products. */
export function isUndoable({ status, dry_run: isCheck, created, updated }: ListedImport): boolean {
  return ['done', 'failed', 'canceled'].includes(status) && !isCheck && created + updated > 0;
}

export function UndoImport({ upload, onClose }: { upload: ListedImport; onClose: () => void }) {
  const { id, name, merchant } = upload;
  const [onlyPrepares, setOnlyPrepares] = useState(false);
  const undo = useMutation({
    mutationFn: () =>
      call('undoImport', { external_id: merchant.external_id, import_id: id }, { dry_run: onlyPrepares }),
    onSuccess: () => {
      void refresh('imports');
      notifications.show({
        message: onlyPrepares
          ? `The preview is being prepared. ${merchant.name} finds it under Upload products.`
          : 'The undo has started. This list shows its progress.',
      });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Undo ${name}?`}
      text={
        <>
          <p>
            The products of {merchant.name} return to their former values, and products that the import
            created are deleted. Fields that were changed since are left alone, and the merchant’s console
            lists them.
          </p>
          <p>The merchant’s activity says that you did it. An undo can be undone, too.</p>
        </>
      }
      action={onlyPrepares ? 'Prepare undo' : 'Undo import'}
      mutation={undo}
      onConfirm={() => undo.mutate()}
      onClose={onClose}
    >
      <Checkbox
        label="Only prepare it: the merchant sees what would return, and decides"
        checked={onlyPrepares}
        onChange={({ currentTarget: { checked } }) => setOnlyPrepares(checked)}
      />
    </ConfirmDialog>
  );
}
