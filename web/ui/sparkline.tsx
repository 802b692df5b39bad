import styles from './sparkline.module.css';

const WIDTH = 100;
const HEIGHT = 28;
/** So that the line is not cut off. */
const MARGIN = 2;

/**
 * A line without axes, for eyes only: its values must also be on the page as text. It passes over values that
 * are null.
 */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const max = Math.max(...values.map((value) => value ?? 0), 0);
  const step = WIDTH / Math.max(1, values.length - 1);
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, x: index * step }]));
  const points = known.map(({ value, x }) => {
    const y = HEIGHT - MARGIN - (max === 0 ? 0 : value / max) * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(2)},${y.toFixed(2)}`;
  });
  const [from, to] = [known[0]?.x ?? 0, known.at(-1)?.x ?? WIDTH];
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={`${from.toFixed(2)},${HEIGHT} ${points.join(' ')} ${to.toFixed(2)},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}
