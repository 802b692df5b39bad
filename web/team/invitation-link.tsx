import type { TeamInvitation } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { DialogResult } from '../ui/dialog-form.tsx';

interface Props {
  email: string;
  /** The page on which the user sets a password. */
  url: string;
  expiresAt: TeamInvitation['expires_at'];
  onDone: () => void;
}

/** Shows the link of an invitation, which the owner passes on because no email is sent. */
export function InvitationLink({ email, url, expiresAt, onDone }: Props) {
  const { time } = useFormats();
  return (
    <DialogResult onDone={onDone}>
      <p>
        Send this link to {email}. It works once, until {time(expiresAt)}. You won’t see it again, but you can
        create a new one.
      </p>
      <CodeBlock text={url} label="link" />
    </DialogResult>
  );
}
