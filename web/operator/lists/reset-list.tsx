import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { refresh } from '../../server/query-client.ts';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { call } from '../call.ts';
import type { ListSummary } from './queries.ts';
import { listTitle } from './titles.ts';

export function ResetList({ list: { list }, onClose }: { list: ListSummary; onClose: () => void }) {
  const title = listTitle(list);
  const reset = useMutation({
    mutationFn: () => call('resetMetadataList', { list }),
    onSuccess: () => {
      void refresh('lists', 'audit');
      notifications.show({ message: `${title} is Tradepost’s own list again.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Reset ${title}?`}
      text={<p>Your entries are deleted, and all merchants see Tradepost’s own list again.</p>}
      action="Reset list"
      mutation={reset}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    />
  );
}
