import { type NotificationData, notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { errorMessage } from '../server/server-error.ts';

/** Says that something failed, where the page has no place for it. */
export function showError(error: unknown): void {
  notifications.show({ color: 'red', message: errorMessage(error) });
}

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
