import { type HTMLAttributes, useId } from 'react';
import styles from './product.module.css';

interface Props {
  name: string;
  label: string;
  value: string;
  error?: string | undefined;
  isEdited?: boolean;
  readOnly?: boolean;
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  placeholder?: string;
  /** The ID of a list of suggestions. */
  list?: string | undefined;
  onChange: (text: string) => void;
}

/** A small input in a table: plain, because a product can have thousands of variations. */
export function CellInput({ label, error, isEdited, onChange, ...input }: Props) {
  const id = useId();
  return (
    <span className={styles.cell}>
      <input
        {...input}
        className={styles.input}
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : id}
        data-edited={isEdited || undefined}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {error !== undefined && (
        <span id={id} className={styles.error}>
          {error}
        </span>
      )}
    </span>
  );
}
