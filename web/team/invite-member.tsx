import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { TeamInvitation } from '../../src/console/console-api.ts';
import type { Role } from '../../src/users/role.ts';
import { refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { roleTexts } from '../session/role.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { InvitationLink } from './invitation-link.tsx';
import { RoleChoice } from './role-choice.tsx';

const prompts = { name: 'Enter a name.', email: 'Enter an email.' };
const empty: { name: string; email: string; role: Role } = { name: '', email: '', role: 'editor' };

/** Invites a user, and then shows the link if the user does not get it by email. */
export function InviteMember({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: empty });
  const invitation = useMutation({
    mutationFn: (body: typeof empty) => post<TeamInvitation>('team', body),
    onSuccess: ({ mailed }, { email }) => {
      void refresh('team', 'audit');
      if (!mailed) return;
      notifications.show({ message: `Invitation sent to ${email}.` });
      onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem, prompts)),
  });
  const { expires_at: expiresAt = '', set_password_url: url = null } = invitation.data ?? {};
  return (
    <DialogForm
      title={url === null ? 'Invite user' : 'User invited'}
      size="lg"
      closeOnClickOutside={false}
      noValidate
      action="Invite"
      mutation={invitation}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => invitation.mutate(values))}
      onClose={onClose}
      result={
        url === null ? undefined : (
          <InvitationLink email={form.values.email} url={url} expiresAt={expiresAt} onDone={onClose} />
        )
      }
    >
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
      <RoleChoice
        roles={roleTexts}
        value={form.values.role}
        onChange={(role) => form.setFieldValue('role', role)}
      />
    </DialogForm>
  );
}
