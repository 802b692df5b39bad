import { useFormats } from '../format/use-formats.ts';
import styles from './uploads.module.css';

/** How far something is, from 0 to 1. */
export function Progress({ label, share }: { label: string; share: number }) {
  const { wholePercent } = useFormats();
  return (
    <div className={styles.progress}>
      <div className={styles.progressWords}>
        <span>{label}</span>
        <span className="numbers soft">{wholePercent(Math.floor(share * 100) / 100)}</span>
      </div>
      <progress max={1} value={share} aria-label={label} className={styles.bar} />
    </div>
  );
}
