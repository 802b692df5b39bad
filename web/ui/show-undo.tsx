import { type NotificationData, notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Says what was done, and offers to undo it. `undo` handles its own errors. */
export function showUndo(
  message: ReactNode,
  undo: () => Promise<void>,
  options: Pick<NotificationData, 'color'> = {},
): void {
  const id = notifications.show({
    ...options,
    message: (
      <>
        {message}{' '}
        <button
          type="button"
          className="text-button"
          onClick={() => {
            notifications.hide(id);
            void undo();
          }}
        >
          Undo
        </button>
      </>
    ),
  });
}
