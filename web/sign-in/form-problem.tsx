import { messageOf } from '../server/server-error.ts';
import styles from './door.module.css';

/** Why a form was not accepted; told to screen readers when it comes up. */
export function FormProblem({ error }: { error: unknown }) {
  return (
    <div role="alert" className={styles.alert}>
      {error !== null && error !== undefined && <p className={styles.problem}>{messageOf(error)}</p>}
    </div>
  );
}
