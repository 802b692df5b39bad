import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useFormats } from '../format/use-formats.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import styles from './keys.module.css';
import { type Key, keysQuery } from './queries.ts';

export function RevokeKey({ apiKey: key, onClose }: { apiKey: Key; onClose: () => void }) {
  const { ago } = useFormats();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => request<Key>(`keys/${key.id}/revoke`, { method: 'POST', body: {} }),
    onSuccess: (revoked) => {
      queryClient.setQueryData(
        keysQuery.queryKey,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              keys: page.keys.map((listed) => (listed.id === revoked.id ? revoked : listed)),
            })),
          },
      );
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
      notifications.show({ message: `Key “${key.name}” revoked.` });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Revoke “${key.name}”?`}>
      <div className={styles.form}>
        <p>
          Requests with this key, <span className="mono">{key.token}</span>, fail immediately. This can’t be
          undone.
        </p>
        {key.last_used_at !== null && (
          <p className={styles.notice}>
            Last used {ago(key.last_used_at)}
            {key.last_erp_name !== null && ` by ${key.last_erp_name}`}.
          </p>
        )}
        <FormError error={error} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            Revoke key
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
