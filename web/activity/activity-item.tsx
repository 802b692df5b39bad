import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ActivityEntry } from '../../src/console/activity-api.ts';
import { Ago } from '../format/ago.tsx';
import { useFormats } from '../format/use-formats.ts';
import styles from './activity.module.css';
import { ActionWords } from './audit-entries.tsx';
import { Author } from './author.tsx';
import { readCampaignChanges, readProductChanges } from './change-words.ts';
import { fieldsInWords } from './changed-product.ts';
import { FieldChanges } from './field-changes.tsx';
import { AuthorAndImport, ImportName } from './import-name.tsx';
import { readOrderChanges } from './order-words.ts';
import { ProductsOfEntry } from './products-of-entry.tsx';
import { UndoEntry } from './undo-entry.tsx';

type EntryAbout<About extends ActivityEntry['about']> = Extract<ActivityEntry, { about: About }>;

/** One line of the activity: what happened, by whom, and when. */
export function ActivityItem({ entry }: { entry: ActivityEntry }) {
  // Then `ManyProducts` names the import.
  const isOfImport = entry.about === 'products' && entry.product === null;
  return (
    <li className={styles.item}>
      <div className={styles.what}>
        <What entry={entry} />
      </div>
      <span className={`muted small ${styles.by}`}>
        {isOfImport ? <Author author={entry} /> : <AuthorAndImport author={entry} />} · <Ago at={entry.at} />
        {entry.about === 'products' && <UndoEntry entry={entry} />}
      </span>
    </li>
  );
}

function What({ entry }: { entry: ActivityEntry }) {
  switch (entry.about) {
    case 'log':
      return (
        <span>
          <ActionWords action={entry.action} subject={entry.subject} />
        </span>
      );
    case 'campaign':
      return <CampaignChanges entry={entry} />;
    case 'orders':
      return <OrderChanges entry={entry} />;
    case 'products':
      return entry.product === null ? (
        <ManyProducts entry={entry} />
      ) : (
        <ProductChanges entry={entry} product={entry.product} />
      );
  }
}

function CampaignChanges({ entry }: { entry: EntryAbout<'campaign'> }) {
  const formats = useFormats();
  const { campaign, action, changes } = entry;
  const name = campaign.name ?? campaign.id;
  return (
    <>
      <span>
        {action === 'created' ? 'Campaign created' : 'Campaign changed'}:{' '}
        {campaign.name === null ? (
          <span className={styles.subject}>{name}</span>
        ) : (
          <Link to="/campaigns/$campaign" params={{ campaign: campaign.id }} className={styles.subject ?? ''}>
            {name}
          </Link>
        )}
      </span>
      {action === 'changed' && <FieldChanges changes={readCampaignChanges(changes, formats)} />}
    </>
  );
}

function OrderChanges({ entry }: { entry: EntryAbout<'orders'> }) {
  const formats = useFormats();
  const { changed, created, order_ids: ids, changes } = entry;
  const { count, whole } = formats;
  const all = changed + created;
  const orders = [
    ...(changed > 0 ? [`${count(changed, 'order')} changed`] : []),
    ...(created > 0 ? [count(created, 'new order')] : []),
  ].join(', ');
  return (
    <>
      <span>
        {all > 1 ? orders : created > 0 ? 'New order' : 'Order changed'}:{' '}
        {ids.map((id, index) => (
          <Fragment key={id}>
            {index > 0 && ', '}
            <Link to="/orders/$order" params={{ order: String(id) }} className={styles.subject ?? ''}>
              {id}
            </Link>
          </Fragment>
        ))}
        {all > ids.length && ` and ${whole(all - ids.length)} more`}
      </span>
      <FieldChanges changes={readOrderChanges(changes, formats)} />
    </>
  );
}

interface ProductProps {
  entry: EntryAbout<'products'>;
  product: NonNullable<EntryAbout<'products'>['product']>;
}

function ProductChanges({ entry: { created, fields, changes }, product }: ProductProps) {
  const formats = useFormats();
  const read = changes === null ? [] : readProductChanges(changes, formats);
  return (
    <>
      <span>
        {created > 0 ? 'Product created' : 'Product changed'}:{' '}
        <Link
          to="/products/$product"
          params={{ product: String(product.internal_id) }}
          className={styles.subject ?? ''}
        >
          {product.identifier}
        </Link>
      </span>
      {changes === null && fields.length > 0 && <span>{fieldsInWords(fields)}</span>}
      <FieldChanges changes={read} />
    </>
  );
}

function ManyProducts({ entry }: { entry: EntryAbout<'products'> }) {
  const { count } = useFormats();
  const { id, changed, created, fields } = entry;
  const products = [
    ...(changed > 0 ? [`${count(changed, 'product')} changed`] : []),
    ...(created > 0 ? [`${count(created, 'new product')}`] : []),
  ].join(', ');
  return (
    <>
      <span>
        {entry.import === null ? (
          <span className={styles.subject}>{products}</span>
        ) : (
          <>
            <span className={styles.subject}>{products}</span> by <ImportName of={entry.import} />
          </>
        )}
      </span>
      {fields.length > 0 && <span className="muted small">Fields: {fieldsInWords(fields)}</span>}
      <ProductsOfEntry id={id} />
    </>
  );
}
