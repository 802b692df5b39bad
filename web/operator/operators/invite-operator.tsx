import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { OperatorLink } from '../../../src/operator/screen/screen-api.ts';
import type { OperatorRole } from '../../../src/operators/role.ts';
import { refresh } from '../../server/query-client.ts';
import { post } from '../../server/request.ts';
import { InvitationLink } from '../../team/invitation-link.tsx';
import { RoleChoice } from '../../team/role-choice.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { roleTexts } from './roles.ts';

const prompts = { name: 'Enter a name.', email: 'Enter an email.' };
const empty: { name: string; email: string; role: OperatorRole } = { name: '', email: '', role: 'support' };

/** Invites an operator, and then shows the link to pass on. */
export function InviteOperator({ onClose }: { onClose: () => void }) {
  const form = useForm({ initialValues: empty });
  const invitation = useMutation({
    mutationFn: (body: typeof empty) => post<OperatorLink>('operators', body),
    onSuccess: () => void refresh('operators', 'audit'),
    onError: (problem) => form.setErrors(fieldErrors(problem, prompts)),
  });
  const { data: link } = invitation;
  return (
    <DialogForm
      title={link === undefined ? 'Invite operator' : 'Operator invited'}
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
            email={form.values.email}
            url={link.set_password_url}
            expiresAt={link.expires_at}
            onDone={onClose}
          />
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
        description="The operator signs in with it."
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
