import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { TeamInvitation, TeamMember } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import { InvitationLink } from './invitation-link.tsx';
import styles from './team.module.css';

/** Invites a user again who has not accepted, with a new link. */
export function ResendInvitation({ member, onClose }: { member: TeamMember; onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => request<TeamInvitation>(`team/${member.id}/invitation`, { method: 'POST', body: {} }),
    onSuccess: ({ mailed }) => {
      if (!mailed) return;
      notifications.show({ message: `Invitation sent to ${member.email}.` });
      onClose();
    },
  });
  const url = data?.set_password_url ?? null;
  return (
    <Dialog onClose={onClose} title="Resend invitation" size="lg" closeOnClickOutside={data === undefined}>
      {data !== undefined && url !== null ? (
        <InvitationLink email={member.email} url={url} expiresAt={data.expires_at} onDone={onClose} />
      ) : (
        <div className={styles.form}>
          <p>
            {member.name} ({member.email}) gets a new link to set a password. Earlier links stop working.
          </p>
          <FormError error={error} />
          <div className={styles.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={isPending} onClick={() => mutate()} data-autofocus>
              Resend invitation
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
