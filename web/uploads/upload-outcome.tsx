import type { ReactNode } from 'react';
import type { Upload } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { LinkButton } from '../shell/link-button.tsx';
import { Panel } from '../shell/panel.tsx';
import { RejectedRows } from './rejected-rows.tsx';
import styles from './uploads.module.css';

const formats = { csv: 'CSV', ndjson: 'NDJSON', shopify: 'Shopify’s export' };

/** What a file would change, or what it did. */
export function UploadOutcome({ upload, children }: { upload: Upload; children: ReactNode }) {
  const { whole, bytes } = useFormats();
  const { summary, state, format, ignored_columns: ignored } = upload;
  const isDone = state === 'done';
  const figures = [
    ['new', summary?.created ?? 0],
    ['changed', summary?.updated ?? 0],
    ['unchanged', summary?.unchanged ?? 0],
    ['rejected', summary?.rejected ?? 0],
  ] as const;
  return (
    <>
      <Panel
        title={isDone ? 'Imported' : 'This is what would change'}
        aside={
          <span className="soft small">
            {upload.name}, {format !== null && `${formats[format]}, `}
            {bytes(upload.bytes)}
          </span>
        }
      >
        <div role="status">
          <dl className={styles.figures}>
            {figures.map(([name, count]) => (
              <div key={name} data-bad={(name === 'rejected' && count > 0) || undefined}>
                <dt>{name}</dt>
                <dd>{whole(count)}</dd>
              </div>
            ))}
          </dl>
        </div>
        {summary !== null && summary.repeated > 0 && (
          <p className="soft small">
            {whole(summary.repeated)} came more than once in the file; the last one of each counts.
          </p>
        )}
        {ignored.length > 0 && (
          <p className="soft small">
            These columns are not known here, and were passed over: {ignored.join(', ')}.
          </p>
        )}
        <div className={styles.buttons}>
          {isDone && (
            <LinkButton to="/products" activeOptions={{ exact: true }}>
              See the products
            </LinkButton>
          )}
          {children}
        </div>
      </Panel>
      <RejectedRows upload={upload} />
    </>
  );
}
