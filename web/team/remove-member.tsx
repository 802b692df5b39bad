import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { TeamList, TeamMember } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { showTeam } from './queries.ts';
import styles from './team.module.css';

export function RemoveMember({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => request<TeamList>(`team/${member.id}`, { method: 'DELETE' }),
    onSuccess: (team) => {
      showTeam(team);
      notifications.show({ message: `${member.name} removed.` });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Remove ${member.name}?`}>
      <div className={styles.form}>
        <p>
          {member.email} is signed out everywhere and can’t sign in anymore. API keys and webhooks that this
          user created keep working.
        </p>
        <FormError error={error} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            Remove user
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
