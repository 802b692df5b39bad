import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { TeamList, TeamMember } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';
import { ConfirmDialog } from '../ui/dialog-form.tsx';
import { showTeam } from './queries.ts';

export function RemoveMember({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const removal = useMutation({
    mutationFn: () => request<TeamList>(`team/${member.id}`, { method: 'DELETE' }),
    onSuccess: (team) => {
      showTeam(team);
      notifications.show({ message: `${member.name} removed.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      text={
        <p>
          {member.email} is signed out everywhere and can’t sign in anymore. API keys and webhooks that this
          user created keep working.
        </p>
      }
      action="Remove user"
      mutation={removal}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
