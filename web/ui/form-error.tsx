import { errorMessage } from '../server/server-error.ts';
import styles from './form-error.module.css';

/** Shows why a form was rejected. Screen readers announce it. */
export function FormError({ error }: { error: unknown }) {
  return (
    <div role="alert" className={styles.alert}>
      {error !== null && error !== undefined && <p className={styles.message}>{errorMessage(error)}</p>}
    </div>
  );
}
