import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamList, TeamMember } from '../../src/console/console-api.ts';
import { post } from '../server/request.ts';
import { roleTexts } from '../session/role.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { showTeam } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';

export function ChangeRole({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const [role, setRole] = useState(member.role);
  const change = useMutation({
    mutationFn: () => post<TeamList>(`team/${member.id}`, { role }),
    onSuccess: (team) => {
      showTeam(team);
      notifications.show({ message: `${member.name} is now ${role === 'viewer' ? 'a' : 'an'} ${role}.` });
      onClose();
    },
  });
  return (
    <DialogForm
      title={`Role of ${member.name}`}
      size="lg"
      action="Change role"
      button={{ disabled: role === member.role }}
      mutation={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <RoleChoice roles={roleTexts} value={role} onChange={setRole} />
      <p className="muted small">The new role takes effect immediately, even in open sessions.</p>
    </DialogForm>
  );
}
