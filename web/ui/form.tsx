import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import styles from './form.module.css';
import { FormError } from './form-error.tsx';

export interface FormProps {
  /** The label of the button that submits the form. */
  action: string;
  /** The request that the form sends, if it sends one. */
  mutation?: { error: unknown; isPending: boolean };
  /** Called with the event, whose default action is prevented. */
  onSubmit: NonNullable<ComponentProps<'form'>['onSubmit']>;
  /** Shown before the message of an error. */
  text?: ReactNode;
  /** The fields whose errors are shown at their inputs. */
  inputs?: readonly string[];
  noValidate?: boolean;
  /** More properties of the submit button. */
  button?: Pick<ButtonProps, 'color' | 'disabled' | 'variant'> & { 'data-autofocus'?: true };
  /** A button before the submit button. */
  cancel?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

const idle = { error: null, isPending: false };

/** A form that sends a request. Shows that the request is in progress, and why it failed. */
export function Form(props: FormProps) {
  const {
    action,
    mutation = idle,
    onSubmit,
    text,
    inputs = [],
    noValidate = false,
    cancel,
    children,
  } = props;
  const submit = (
    <Button type="submit" loading={mutation.isPending} {...props.button}>
      {action}
    </Button>
  );
  return (
    <form
      className={props.className ?? styles.form}
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        // The form of a dialog can be within another one for React.
        event.stopPropagation();
        onSubmit(event);
      }}
    >
      {text}
      <FormError error={mutation.error} inputs={inputs} />
      {children}
      {cancel === undefined ? (
        submit
      ) : (
        <div className={styles.buttons}>
          {cancel}
          {submit}
        </div>
      )}
    </form>
  );
}
