import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { TeamInvitation, TeamMember } from '../../src/console/console-api.ts';
import { post } from '../server/request.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { InvitationLink } from './invitation-link.tsx';

/** Invites a user again who has not accepted, with a new link. */
export function ResendInvitation({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const invitation = useMutation({
    mutationFn: () => post<TeamInvitation>(`team/${member.id}/invitation`),
    onSuccess: ({ mailed }) => {
      if (!mailed) return;
      notifications.show({ message: `Invitation sent to ${member.email}.` });
      onClose();
    },
  });
  const { expires_at: expiresAt = '', set_password_url: url = null } = invitation.data ?? {};
  return (
    <DialogForm
      title="Resend invitation"
      size="lg"
      text={
        <p>
          {member.name} ({member.email}) gets a new link to set a password. Earlier links stop working.
        </p>
      }
      action="Resend invitation"
      button={{ 'data-autofocus': true }}
      mutation={invitation}
      onSubmit={() => invitation.mutate()}
      onClose={onClose}
      result={
        url === null ? undefined : (
          <InvitationLink email={member.email} url={url} expiresAt={expiresAt} onDone={onClose} />
        )
      }
    />
  );
}
