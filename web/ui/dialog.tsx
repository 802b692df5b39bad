import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A dialog that is open as long as it is mounted. Mantine's Modal restores the focus only when it closes,
 * not when it is unmounted.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const [previousFocus] = useState(() => openerOf(document.activeElement));
  useEffect(() => () => restoreFocus(previousFocus), [previousFocus]);
  return <Modal opened closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}

/** A dialog over all others that its own buttons close, and nothing else. */
export function LockedDialog(props: Pick<ModalProps, 'title' | 'children'>) {
  return (
    <Dialog
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={500}
      {...props}
    />
  );
}

/** Returns the element that opened the dialog; for an item of a menu, which is gone by then, its button. */
function openerOf(focused: Element | null): Element | null {
  const buttonId = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return buttonId ? document.getElementById(buttonId) : focused;
}

/** Focuses the element that opened the dialog, or the page if the dialog's action removed that element. */
function restoreFocus(previousFocus: Element | null): void {
  const target = previousFocus?.isConnected ? previousFocus : document.getElementById('main');
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
