import { Fragment } from 'react';
import styles from './palette.module.css';

/** Keys to press after each other, or together with a modifier. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a key can be pressed twice, and the list never changes
    <Fragment key={index}>
      {index > 0 && ' '}
      <kbd className={styles.key}>{key}</kbd>
    </Fragment>
  ));
}
