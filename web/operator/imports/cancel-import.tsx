import { useMutation } from '@tanstack/react-query';
import { refresh } from '../../server/query-client.ts';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { call } from '../call.ts';
import type { ListedImport } from './queries.ts';

export function CancelImport({ upload, onClose }: { upload: ListedImport; onClose: () => void }) {
  const { id, name, merchant } = upload;
  const cancellation = useMutation({
    mutationFn: () => call('cancelImport', { external_id: merchant.external_id, import_id: id }),
    onSuccess: () => {
      void refresh('imports');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Cancel ${name}?`}
      text={
        <p>
          What has been imported stays in the catalog of {merchant.name}, whose activity says that you have
          canceled the import.
        </p>
      }
      action="Cancel import"
      cancel="Keep importing"
      mutation={cancellation}
      onConfirm={() => cancellation.mutate()}
      onClose={onClose}
    />
  );
}
