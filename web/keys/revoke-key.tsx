import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Dialog } from '../feedback/dialog.tsx';
import { useFormats } from '../format/use-formats.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { FormProblem } from '../sign-in/form-problem.tsx';
import styles from './keys.module.css';
import { type Key, keysQuery } from './queries.ts';

export function RevokeKey({ of: key, onClose }: { of: Key; onClose: () => void }) {
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
              keys: page.keys.map((one) => (one.id === revoked.id ? revoked : one)),
            })),
          },
      );
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
      notifications.show({ message: `“${key.name}” is revoked. Requests with it are refused from now on.` });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Revoke “${key.name}”?`}>
      <div className={styles.form}>
        <p>
          Every program that uses <span className="mono">{key.token}</span> is refused from that moment on.
          This cannot be undone.
        </p>
        {key.last_used_at !== null && (
          <p className={styles.once}>
            It was last used {ago(key.last_used_at)}
            {key.last_erp_name !== null && ` by ${key.last_erp_name}`}.
          </p>
        )}
        <FormProblem error={error} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            Revoke the key
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
