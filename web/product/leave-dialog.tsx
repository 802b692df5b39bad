import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from '../ui/dialog.tsx';
import styles from './product.module.css';

/** Asks before edits are lost because the user leaves the page. */
export function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog title="Leave without saving?" onClose={reset}>
      <p>Your changes aren’t saved.</p>
      <div className={styles.dialogButtons}>
        <Button variant="default" onClick={reset}>
          Keep editing
        </Button>
        <Button color="red" onClick={proceed}>
          Discard changes
        </Button>
      </div>
    </Dialog>
  );
}
