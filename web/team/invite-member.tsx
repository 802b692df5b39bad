import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { TeamInvitation } from '../../src/console/console-api.ts';
import type { Role } from '../../src/console/users/role.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { teamQuery } from './queries.ts';
import { RoleChoice } from './role-choice.tsx';
import styles from './team.module.css';

const prompts = { name: 'Enter a name.', email: 'Enter an email.' };
const empty: { name: string; email: string; role: Role } = { name: '', email: '', role: 'editor' };

/** Invites a user, and then shows the link if the user does not get it by email. */
export function InviteMember({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: empty });
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (body: typeof empty) => request<TeamInvitation>('team', { method: 'POST', body }),
    onSuccess: ({ mailed }, { email }) => {
      void queryClient.invalidateQueries({ queryKey: teamQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
      if (!mailed) return;
      notifications.show({ message: `Invitation sent to ${email}.` });
      onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem, prompts)),
  });
  const url = data?.set_password_url ?? null;
  return (
    <Dialog
      onClose={onClose}
      title={url === null ? 'Invite user' : 'User invited'}
      size="lg"
      closeOnClickOutside={false}
    >
      {data !== undefined && url !== null ? (
        <InvitationLink email={form.values.email} url={url} expiresAt={data.expires_at} onDone={onClose} />
      ) : (
        <form className={styles.form} noValidate onSubmit={form.onSubmit((values) => mutate(values))}>
          <FormError error={error} inputs={Object.keys(form.values)} />
          <TextInput
            label="Name"
            required
            maxLength={100}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Email"
            description="The user signs in with it."
            type="email"
            required
            autoComplete="off"
            {...form.getInputProps('email')}
          />
          <RoleChoice value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
          <div className={styles.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Invite
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
