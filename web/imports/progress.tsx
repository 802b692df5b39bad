import { useFormats } from '../format/use-formats.ts';
import styles from './imports.module.css';

/** A progress bar; `value` is from 0 to 1. */
export function Progress({ label, value }: { label: string; value: number }) {
  const { wholePercent } = useFormats();
  return (
    <div className={styles.progress}>
      <div className={styles.progressText}>
        <span>{label}</span>
        <span className="numbers muted">{wholePercent(Math.floor(value * 100) / 100)}</span>
      </div>
      <progress max={1} value={value} aria-label={label} className={styles.bar} />
    </div>
  );
}
