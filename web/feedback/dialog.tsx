import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A dialog that is open while it is there. Mantine's own gives the focus back when it is told to close,
 * which one that is taken away is not.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => giveFocusBack(before), [before]);
  return <Modal opened closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}

/** What opened the dialog may be gone by what the dialog did. */
function giveFocusBack(before: Element | null): void {
  const target = before?.isConnected ? before : document.getElementById('main');
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
