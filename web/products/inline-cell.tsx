import { notifications } from '@mantine/notifications';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { Product } from '../../src/products/record/product.ts';
import { useFormats } from '../format/use-formats.ts';
import { errorMessage, ServerError } from '../server/server-error.ts';
import { fieldReason } from '../ui/field-reason.ts';
import { showUndo } from '../ui/notify.tsx';
import styles from './inline-cell.module.css';
import type { InlineValue } from './inline-value.ts';
import { readableText } from './money-fields.ts';
import { priceWarnings } from './price-warnings.ts';
import { ProductChanged, type ProductVersion, readProduct, replaceInLists } from './product-version.ts';
import { saveWithRetry } from './save-with-retry.ts';

interface Props {
  product: Product;
  value: InlineValue;
  /** The formatted value. */
  children: ReactNode;
}

/** An edit in progress. `seen` is the text that the user decided to replace. */
interface Edit {
  text: string;
  seen: string;
  error?: string;
  /** False if the user went elsewhere before the error came. */
  hasFocus?: boolean;
}

/** A value that becomes an input when it is pressed. Enter saves, and so does leaving it; Escape cancels. */
export function InlineCell({ product, value, children }: Props) {
  const [edit, setEdit] = useState<Edit>();
  const button = useRef<HTMLButtonElement>(null);
  // Closing removes the input, and some browsers then report that it lost the focus.
  const isOpen = useRef(false);
  const errorId = useId();
  const { money, currencySymbol } = useFormats();
  const read = (text: string): string =>
    value.isMoney === true ? readableText('buy_now_price', text, money) : text;
  const name = product.title ?? product.identifier;
  const label = `${value.label} of ${name}`;
  const begin = (next: Edit): void => {
    isOpen.current = true;
    setEdit(next);
  };
  const close = (): void => {
    isOpen.current = false;
    setEdit(undefined);
  };
  const isNear = (): boolean =>
    document.activeElement === button.current || document.activeElement === document.body;
  const save = async ({ text, seen }: Edit): Promise<void> => {
    // Shown immediately. If the server rejects it, the input comes back.
    replaceInLists(value.withText(product, text));
    try {
      const saved = await saveText(product, value, { text, seen });
      const warnings = value.isMoney === true ? Object.values(priceWarnings(saved.product, money)) : [];
      announce({ label, value, text, seen, saved, read, warnings });
    } catch (error) {
      if (isOvertaken(error, value, seen)) {
        const { product: current } = error.current;
        replaceInLists(current);
        const now = value.textOf(current);
        begin({ text, seen: now, error: overtakenText(read(now), read(text.trim())), hasFocus: isNear() });
        return;
      }
      replaceInLists(product);
      begin({ text, seen, error: reasonOf(error), hasFocus: isNear() });
    }
  };
  if (edit === undefined) {
    return (
      <button
        ref={button}
        type="button"
        className={styles.value}
        title={`Change ${value.label.toLowerCase()}`}
        onClick={() => {
          const text = value.textOf(product);
          begin({ text, seen: text });
        }}
      >
        <span className="visually-hidden">{label}: </span>
        {children}
      </button>
    );
  }
  const commit = (): void => {
    const isSame = read(edit.text.trim()) === read(edit.seen);
    if (!isSame || edit.error !== undefined) void save(edit);
  };
  return (
    <span className={styles.edit}>
      {value.isMoney === true && (
        <span className={styles.currency} aria-hidden="true">
          {currencySymbol()}
        </span>
      )}
      <input
        className={styles.input}
        aria-label={label}
        aria-invalid={edit.error !== undefined || undefined}
        aria-describedby={edit.error === undefined ? undefined : errorId}
        inputMode="decimal"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for this input
        autoFocus={edit.hasFocus ?? true}
        value={edit.text}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setEdit({ ...edit, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          if (event.key === 'Enter') commit();
          close();
          // The button is back after this render.
          requestAnimationFrame(() => button.current?.focus());
        }}
        onBlur={() => {
          // After an error, only Enter saves.
          if (!isOpen.current || edit.error !== undefined) return;
          commit();
          close();
        }}
      />
      {edit.error !== undefined && (
        <span id={errorId} role="alert" className={styles.error}>
          {edit.error}
        </span>
      )}
    </span>
  );
}

/** Saves a text unless the value has changed since the user saw it. Changes of other fields do not matter. */
async function saveText(product: Product, value: InlineValue, { text, seen }: Edit): Promise<ProductVersion> {
  const version = await readProduct(String(product.internal_id));
  const { after } = await saveWithRetry(
    version,
    value.changes(text),
    (current) => value.textOf(current.product) !== seen,
  );
  return after;
}

/** Whether a save failed because someone else has changed the value since the user saw it. */
function isOvertaken(error: unknown, value: InlineValue, seen: string): error is ProductChanged {
  return error instanceof ProductChanged && value.textOf(error.current.product) !== seen;
}

function overtakenText(now: string, text: string): string {
  const shown = now === '' ? 'empty' : now;
  return `Someone else changed this to ${shown}. Press Enter to save ${text || 'nothing'}, or Escape to keep ${shown}.`;
}

function reasonOf(error: unknown): string {
  const [field] = error instanceof ServerError ? error.fields : [];
  return field === undefined ? errorMessage(error) : fieldReason(field.reason);
}

interface Announcement {
  label: string;
  value: InlineValue;
  text: string;
  seen: string;
  saved: ProductVersion;
  /** Returns a text as people read it. */
  read: (text: string) => string;
  warnings: readonly string[];
}

/** Says what was saved, and offers to undo it. */
function announce({ label, value, text, seen, saved, read, warnings }: Announcement): void {
  const undo = async (): Promise<void> => {
    const before = { text: seen, seen: value.textOf(saved.product) };
    try {
      await saveText(saved.product, value, before);
      notifications.show({ message: `${label} is ${read(seen) || 'empty'} again.` });
    } catch (error) {
      const message = isOvertaken(error, value, before.seen)
        ? 'Someone else changed it after you.'
        : reasonOf(error);
      notifications.show({ color: 'red', message: `${label} wasn’t restored. ${message}` });
    }
  };
  const change = `${label}: ${read(seen) || 'none'} → ${read(text.trim()) || 'none'}`;
  if (warnings.length === 0) showUndo(change, undo);
  else showUndo([`${change}.`, ...warnings].join(' '), undo, { color: 'orange' });
}
