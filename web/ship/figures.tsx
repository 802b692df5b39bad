import { useFormats } from '../format/use-formats.ts';
import styles from './ship.module.css';

type Figure = readonly [label: string, value: number];

/** The numbers of lines. Bad ones are shown if they are not 0. */
export function Figures({ figures, bad }: { figures: readonly Figure[]; bad: readonly Figure[] }) {
  const { whole } = useFormats();
  const shown = [
    ...figures.map((figure) => [...figure, false] as const),
    ...bad.filter(([, value]) => value > 0).map((figure) => [...figure, true] as const),
  ];
  return (
    <dl className={styles.figures}>
      {shown.map(([label, value, isBad]) => (
        <div key={label} data-bad={isBad || undefined}>
          <dt>{label}</dt>
          <dd>{whole(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
