import styles from './reference.module.css';

/** The method of a call. */
export function Method({ name }: { name: string }) {
  return (
    <span className={styles.method} data-method={name}>
      {name}
    </span>
  );
}
