import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { OperatorList } from '../../../src/operator/screen/screen-api.ts';
import { request } from '../../server/request.ts';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { type Operator, showOperators } from './queries.ts';

export function RemoveOperator({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const removal = useMutation({
    mutationFn: () => request<OperatorList>(`operators/${operator.id}`, { method: 'DELETE' }),
    onSuccess: (list) => {
      showOperators(list);
      notifications.show({ message: `${operator.name} removed.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${operator.name}?`}
      text={<p>{operator.email} is signed out everywhere and can’t sign in anymore.</p>}
      action="Remove operator"
      mutation={removal}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
