import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { InvitationLink } from '../../team/invitation-link.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { call } from '../call.ts';
import { type ListedMerchant, refreshMerchant } from './queries.ts';

const prompts = { name: 'Enter a name.', email: 'Enter an email.' };

const roles = [
  { value: 'owner', label: 'Owner – everything' },
  { value: 'editor', label: 'Editor – products, orders and campaigns' },
  { value: 'viewer', label: 'Viewer – reads only' },
];

interface Props {
  merchant: ListedMerchant;
  onClose: () => void;
}

/** Invites a user to a merchant's console, and then shows the link to pass on. */
export function InviteUser({ merchant: { external_id: id, name }, onClose }: Props) {
  const form = useForm({ initialValues: { name: '', email: '', role: 'owner' } });
  const invitation = useMutation({
    mutationFn: ({ name: ofUser, email, role }: typeof form.values) =>
      call(
        'inviteUser',
        { external_id: id },
        // Without a role, a new user is an owner, and an existing one keeps the role.
        { email, ...(ofUser !== '' && { name: ofUser }), ...(role !== 'owner' && { role }) },
      ),
    onSuccess: () => void refreshMerchant(id),
    onError: (problem) => form.setErrors(fieldErrors(problem, prompts)),
  });
  const { data: link } = invitation;
  return (
    <DialogForm
      title={link === undefined ? `Invite a user of ${name}` : 'User invited'}
      size="lg"
      closeOnClickOutside={false}
      noValidate
      action="Invite"
      mutation={invitation}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => invitation.mutate(values))}
      onClose={onClose}
      result={
        link && (
          <InvitationLink
            email={link.email}
            url={link.set_password_url}
            expiresAt={link.expires_at}
            onDone={onClose}
          />
        )
      }
    >
      <TextInput
        label="Email"
        description="The user signs in to the console with it."
        type="email"
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <TextInput
        label="Name"
        description={`${name} by default.`}
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <NativeSelect label="Role" data={roles} {...form.getInputProps('role')} />
    </DialogForm>
  );
}
