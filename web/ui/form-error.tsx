import { errorMessage, ServerError } from '../server/server-error.ts';
import styles from './form-error.module.css';

interface Props {
  error: unknown;
  /** The fields whose reasons the form shows at its inputs, which need no message of their own. */
  inputs?: readonly string[];
}

/** Shows why a form was rejected. Screen readers announce it. */
export function FormError({ error, inputs = [] }: Props) {
  const isShown = error !== null && error !== undefined && !isAtInputs(error, inputs);
  return (
    <div role="alert" className={styles.alert}>
      {isShown && <p className={styles.message}>{errorMessage(error)}</p>}
    </div>
  );
}

function isAtInputs(error: unknown, inputs: readonly string[]): boolean {
  if (!(error instanceof ServerError) || error.fields.length === 0) return false;
  return error.fields.every(({ name }) => inputs.includes(name));
}
