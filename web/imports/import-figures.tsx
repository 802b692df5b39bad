import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import styles from './imports.module.css';
import { isUndo } from './words.ts';

/** The numbers of products by what an import does with them, or has done so far. */
export function ImportFigures({ upload }: { upload: Pick<ConsoleImport, 'name' | 'is_bulk' | 'summary'> }) {
  const { whole } = useFormats();
  const { created = 0, updated = 0, unchanged = 0, rejected = 0 } = upload.summary ?? {};
  const all: [label: string, count: number][] = [
    ['New', created],
    ['Updated', updated],
    ['Unchanged', unchanged],
    ['Rejected', rejected],
  ];
  const ofUndo: typeof all = [
    ['Returning', updated],
    ['Left alone', rejected],
  ];
  return (
    <dl className={styles.figures}>
      {(isUndo(upload) ? ofUndo : all).map(([label, count]) => (
        <div key={label} data-bad={(label === 'Rejected' && count > 0) || undefined}>
          <dt>{label}</dt>
          <dd>{whole(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
