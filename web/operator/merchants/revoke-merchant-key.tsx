import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useFormats } from '../../format/use-formats.ts';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { call } from '../call.ts';
import { type ListedMerchant, type ListedMerchantKey, refreshMerchant } from './queries.ts';

interface Props {
  merchant: ListedMerchant;
  apiKey: ListedMerchantKey;
  onClose: () => void;
}

export function RevokeMerchantKey({ merchant: { external_id: id }, apiKey: key, onClose }: Props) {
  const { ago } = useFormats();
  const revocation = useMutation({
    mutationFn: () => call('revokeMerchantKey', { external_id: id, key: key.id }),
    onSuccess: async () => {
      await refreshMerchant(id);
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
          {key.last_used_at !== null && <Notice>Last used {ago(key.last_used_at)}.</Notice>}
        </>
      }
    />
  );
}
