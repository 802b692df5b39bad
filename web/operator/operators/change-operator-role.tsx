import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperatorList } from '../../../src/operator/screen/screen-api.ts';
import { post } from '../../server/request.ts';
import { RoleChoice } from '../../team/role-choice.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { type Operator, showOperators } from './queries.ts';
import { roleLabel, roleTexts } from './roles.ts';

export function ChangeOperatorRole({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const [role, setRole] = useState(operator.role);
  const change = useMutation({
    mutationFn: () => post<OperatorList>(`operators/${operator.id}`, { role }),
    onSuccess: (list) => {
      showOperators(list);
      notifications.show({ message: `The role of ${operator.name} is now ${roleLabel(role)}.` });
      onClose();
    },
  });
  return (
    <DialogForm
      title={`Role of ${operator.name}`}
      size="lg"
      action="Change role"
      button={{ disabled: role === operator.role }}
      mutation={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <RoleChoice roles={roleTexts} value={role} onChange={setRole} />
      <p className="muted small">The new role takes effect immediately, even in open sessions.</p>
    </DialogForm>
  );
}
