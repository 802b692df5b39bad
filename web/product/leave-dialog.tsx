import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../ui/dialog-form.tsx';

/** Asks before edits are lost because the user leaves the page. */
export function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      text={<p>Your changes aren’t saved.</p>}
      cancel="Keep editing"
      action="Discard changes"
      onConfirm={proceed}
      onClose={reset}
    />
  );
}
