import styles from './share-bar.module.css';

interface Props {
  /** From 0 to 1. */
  share: number;
  isAccented?: boolean;
}

/** A part of a whole as a bar, next to the text that says the same. */
export function ShareBar({ share, isAccented = false }: Props) {
  return (
    <div className={styles.bar} data-accented={isAccented || undefined} aria-hidden="true">
      <div style={{ width: `${share * 100}%` }} />
    </div>
  );
}
