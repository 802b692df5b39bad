import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import styles from './imports.module.css';

/** The numbers of products by what an import does with them, or has done so far. */
export function ImportFigures({ summary }: Pick<ConsoleImport, 'summary'>) {
  const { whole } = useFormats();
  const figures = [
    ['New', summary?.created ?? 0],
    ['Updated', summary?.updated ?? 0],
    ['Unchanged', summary?.unchanged ?? 0],
    ['Rejected', summary?.rejected ?? 0],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([label, count]) => (
        <div key={label} data-bad={(label === 'Rejected' && count > 0) || undefined}>
          <dt>{label}</dt>
          <dd>{whole(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
