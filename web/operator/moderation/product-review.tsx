import { Link } from '@tanstack/react-router';
import { type Ref, useState } from 'react';
import type { QueueEntry } from '../../../src/products/moderation/list-queue.ts';
import type { ReviewedField } from '../../../src/products/record/review-state.ts';
import { useFormats } from '../../format/use-formats.ts';
import { labelOf } from '../../products/fields.ts';
import { ProductImage } from '../../products/product-image.tsx';
import { StatusChip } from '../../products/status-chip.tsx';
import { Chip } from '../../ui/chip.tsx';
import { valueOrDash } from '../../ui/empty-value.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './moderation.module.css';
import { PastDecisions } from './past-decisions.tsx';
import { nameOf, pictureChanges, picturesOf, shownFields, textOf } from './review-fields.ts';

/** Longer texts are cut until the reviewer asks for the rest. */
const MAX_TEXT = 1_500;

interface Props {
  entry: QueueEntry;
  ref: Ref<HTMLElement>;
}

/** The product that is being reviewed: its pictures and fields, what changed, and earlier decisions. */
export function ProductReview({ entry, ref }: Props) {
  const { merchant, identifier, product, is_new: isNew, since, reasons, history, similar } = entry;
  const { time } = useFormats();
  return (
    <>
      <Panel
        ref={ref}
        title={<span className={styles.title}>{nameOf(entry)}</span>}
        aside={
          <span className={styles.chips}>
            <Chip tone={isNew ? 'accent' : 'warn'}>{isNew ? 'New' : 'Changed'}</Chip>
            <StatusChip status={product.status} />
          </span>
        }
      >
        <p className="muted small">
          <Link to="/moderation" search={{ merchant: merchant.external_id }}>
            {merchant.name}
          </Link>
          {' · '}
          <span className="mono">{identifier}</span>
          {' · waiting since '}
          {time(since)}
        </p>
        {reasons.length > 0 && (
          <ul className={styles.reasons} aria-label="Reasons of the present decision">
            {reasons.map(({ code, message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no identity and never move
              <li key={index}>
                {message} <span className="muted small">({code})</span>
              </li>
            ))}
          </ul>
        )}
        <Pictures entry={entry} />
        <dl className={`facts ${styles.fields}`}>
          {shownFields(entry).map((name) => (
            <Field key={name} name={name} entry={entry} />
          ))}
        </dl>
      </Panel>
      <Panel title="Earlier decisions about this product">
        <PastDecisions decisions={history} none={isNew ? 'This product is new.' : 'None are stored.'} />
      </Panel>
      <Panel title="Similar decisions">
        <PastDecisions
          decisions={similar}
          isNamed
          none="No decision about this merchant’s products or in this category yet."
        />
      </Panel>
    </>
  );
}

function Pictures({ entry }: { entry: QueueEntry }) {
  const all = picturesOf(entry.product);
  const { added, removed } = pictureChanges(entry);
  const name = nameOf(entry);
  return (
    <div className={styles.pictures}>
      {all.length === 0 && <ProductImage url={null} large />}
      {all.map((url, index) => (
        <figure key={url} data-change={added.has(url) ? 'added' : undefined}>
          <Picture url={url} alt={`Picture ${index + 1} of ${name}`} />
          {added.has(url) && <figcaption>New picture</figcaption>}
        </figure>
      ))}
      {removed.map((url) => (
        <figure key={url} data-change="removed">
          <Picture url={url} alt={`Removed picture of ${name}`} />
          <figcaption>Removed</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** A picture that leads to the picture in its own size. */
function Picture({ url, alt }: { url: string; alt: string }) {
  const picture = <ProductImage url={url} alt={alt} large />;
  if (!/^https:\/\//i.test(url)) return picture;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {picture}
    </a>
  );
}

function Field({ name, entry }: { name: ReviewedField; entry: QueueEntry }) {
  const { product, changed, before, merchant } = entry;
  const isChanged = changed.includes(name);
  const earlier = before[name];
  const shown = (value: string | number | null) =>
    valueOrDash(value, (known) => (
      <LongText key={String(known)} text={textOf(name, known, merchant.currency)} />
    ));
  return (
    <>
      <dt data-changed={isChanged || undefined}>
        {labelOf(name)}
        {isChanged && <span className="visually-hidden"> (changed)</span>}
      </dt>
      <dd className={styles.value}>
        {isChanged && earlier !== undefined && earlier !== product[name] && (
          <del>
            <span className="visually-hidden">Before: </span>
            {shown(earlier)}
          </del>
        )}
        {isChanged ? <ins>{shown(product[name])}</ins> : shown(product[name])}
      </dd>
    </>
  );
}

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= MAX_TEXT) return text;
  return (
    <>
      {text.slice(0, MAX_TEXT)}…{' '}
      <button type="button" className="text-button" onClick={() => setWhole(true)}>
        Show all
      </button>
    </>
  );
}
