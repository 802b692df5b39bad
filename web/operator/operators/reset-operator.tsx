import { useMutation } from '@tanstack/react-query';
import type { OperatorLink } from '../../../src/operator/screen/screen-api.ts';
import { refresh } from '../../server/query-client.ts';
import { post } from '../../server/request.ts';
import { InvitationLink } from '../../team/invitation-link.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import type { Operator } from './queries.ts';

/** Gives an operator a new link after the password or the second factor was lost. */
export function ResetOperator({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const reset = useMutation({
    mutationFn: () => post<OperatorLink>(`operators/${operator.id}/reset`),
    onSuccess: () => void refresh('operators', 'audit'),
  });
  const { data: link } = reset;
  return (
    <DialogForm
      title={`New link for ${operator.name}`}
      size="lg"
      text={
        <p>
          {operator.name} ({operator.email}) is signed out everywhere, and the password, two-factor
          authentication and passkeys are removed. Only the new link leads back: it sets a password. Earlier
          links stop working.
        </p>
      }
      action="Create link"
      button={{ 'data-autofocus': true }}
      mutation={reset}
      onSubmit={() => reset.mutate()}
      onClose={onClose}
      result={
        link && (
          <InvitationLink
            email={operator.email}
            url={link.set_password_url}
            expiresAt={link.expires_at}
            onDone={onClose}
          />
        )
      }
    />
  );
}
