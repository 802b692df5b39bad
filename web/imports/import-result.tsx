import type { ReactNode } from 'react';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { ImportFigures } from './import-figures.tsx';
import styles from './imports.module.css';
import { ProductChanges } from './product-changes.tsx';
import { RejectedRows } from './rejected-rows.tsx';
import { UndoOutcome } from './undo-outcome.tsx';
import { isUndo, wordsOf } from './words.ts';

const formats = { csv: 'CSV', ndjson: 'NDJSON', shopify: 'Shopify export' };

function wordFormat({ format, sheet }: ConsoleImport): string {
  if (sheet !== null) return `Excel, sheet “${sheet.name}”, `;
  return format === null ? '' : `${formats[format]}, `;
}

interface Props {
  upload: ConsoleImport;
  /** What can be chosen before the figures. */
  choices?: ReactNode;
  /** The buttons. */
  children?: ReactNode;
}

/** The preview of an import, or its result. */
export function ImportResult({ upload, choices, children }: Props) {
  const { whole, count, bytes } = useFormats();
  const { summary, state, ignored_columns: ignored } = upload;
  const preview = state === 'checked' ? summary : null;
  const belowCost = preview?.below_cost ?? 0;
  const bids = preview?.bid_above_price ?? 0;
  const isDone = state === 'done' || state === 'canceled';
  const title = { done: wordsOf(upload).done, canceled: 'Canceled' };
  return (
    <>
      <Panel
        title={isDone ? title[state] : 'Preview'}
        aside={
          <span className="muted small">
            {upload.name}
            {!upload.is_bulk && `, ${wordFormat(upload)}${bytes(upload.bytes)}`}
          </span>
        }
      >
        {choices}
        <div role="status">
          {isUndo(upload) ? <UndoOutcome upload={upload} /> : <ImportFigures upload={upload} />}
        </div>
        {belowCost > 0 && (
          <p className={styles.warning}>
            <IconAlertTriangle size={17} /> {count(belowCost, 'product')} would sell below cost.
          </p>
        )}
        {bids > 0 && (
          <p className={styles.warning}>
            <IconAlertTriangle size={17} /> {count(bids, 'product')} would have a minimum bid above the
            buy-now price.
          </p>
        )}
        {summary !== null && summary.repeated > 0 && (
          <p className="muted small">Repeated products: {whole(summary.repeated)} (last one used)</p>
        )}
        {ignored.length > 0 && (
          <details className="muted small">
            <summary>Ignored columns ({whole(ignored.length)})</summary>
            {ignored.join(', ')}
          </details>
        )}
        <div className={styles.buttons}>
          {isDone && (
            <LinkButton to="/products" activeOptions={{ exact: true }}>
              View products
            </LinkButton>
          )}
          {children}
        </div>
      </Panel>
      <RejectedRows upload={upload} />
      <ProductChanges upload={upload} />
    </>
  );
}
