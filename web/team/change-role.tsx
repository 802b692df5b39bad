import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamList, TeamMember } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { showTeam } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';
import styles from './team.module.css';

export function ChangeRole({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const [role, setRole] = useState(member.role);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => request<TeamList>(`team/${member.id}`, { method: 'POST', body: { role } }),
    onSuccess: (team) => {
      showTeam(team);
      notifications.show({ message: `${member.name} is now ${role === 'viewer' ? 'a' : 'an'} ${role}.` });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Role of ${member.name}`} size="lg">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <FormError error={error} />
        <RoleChoice value={role} onChange={setRole} />
        <p className="muted small">The new role takes effect immediately, even in open sessions.</p>
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={role === member.role}>
            Change role
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
