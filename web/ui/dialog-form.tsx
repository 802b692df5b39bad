import { Button, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import styles from './form.module.css';
import { Form, type FormProps } from './form.tsx';

interface Props extends Omit<FormProps, 'cancel' | 'className'> {
  title: string;
  size?: NonNullable<ModalProps['size']>;
  /** False if a click beside the dialog would lose what was entered. */
  closeOnClickOutside?: boolean;
  onClose: () => void;
  /** The label of the button that closes the dialog. */
  cancel?: string;
  /** Whether the button that closes the dialog has the focus at first. */
  focusCancel?: boolean;
  /** Takes the place of the form, such as a secret that is shown once. */
  result?: ReactNode;
}

/** A form in a dialog, with a button that closes the dialog. */
export function DialogForm(props: Props) {
  const { title, size = 'md', closeOnClickOutside = true, onClose, result, ...more } = props;
  const { cancel = 'Cancel', focusCancel = false, ...form } = more;
  const isOpen = result === undefined;
  return (
    <Dialog title={title} size={size} closeOnClickOutside={closeOnClickOutside && isOpen} onClose={onClose}>
      {isOpen ? (
        <Form
          {...form}
          cancel={
            <Button variant="default" onClick={onClose} data-autofocus={focusCancel || undefined}>
              {cancel}
            </Button>
          }
        />
      ) : (
        result
      )}
    </Dialog>
  );
}

interface ConfirmProps extends Omit<Props, 'onSubmit'> {
  onConfirm: () => void;
}

/** Asks before something that is hard to undo. The button that closes the dialog has the focus. */
export function ConfirmDialog({ onConfirm, ...props }: ConfirmProps) {
  return <DialogForm button={{ color: 'red' }} focusCancel onSubmit={onConfirm} {...props} />;
}

interface ResultProps {
  onDone: () => void;
  /** A button before Done. */
  more?: ReactNode;
  children: ReactNode;
}

/** What the form of a dialog has led to. */
export function DialogResult({ onDone, more, children }: ResultProps) {
  return (
    <div className={styles.form}>
      {children}
      <div className={styles.buttons}>
        {more}
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
