import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useFormats } from '../format/use-formats.ts';
import { refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { ConfirmDialog } from '../ui/dialog-form.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Key } from './queries.ts';

export function RevokeKey({ apiKey: key, onClose }: { apiKey: Key; onClose: () => void }) {
  const { ago } = useFormats();
  const revocation = useMutation({
    mutationFn: () => post<Key>(`keys/${key.id}/revoke`),
    onSuccess: async () => {
      await refresh('keys', 'audit', 'overview');
      notifications.show({ message: `Key “${key.name}” revoked.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${key.name}”?`}
      action="Revoke key"
      mutation={revocation}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
      text={
        <>
          <p>
            Requests with this key, <span className="mono">{key.token}</span>, fail immediately. This can’t be
            undone.
          </p>
          {key.last_used_at !== null && (
            <Notice>
              Last used {ago(key.last_used_at)}
              {key.last_erp_name !== null && ` by ${key.last_erp_name}`}.
            </Notice>
          )}
        </>
      }
    />
  );
}
