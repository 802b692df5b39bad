import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyValue } from '../ui/empty-value.tsx';
import { dueGroupOf } from './due.ts';
import styles from './orders.module.css';

const HOUR_MS = 3_600_000;
/** Up to this many, hours say how late an order is. */
const MAX_HOURS = 48;

interface Props {
  due: string | null;
  /** The end of the merchant’s day; undefined while unknown. */
  dayEnd: string | undefined;
  /** Whether the text stands alone, without a label. */
  isSentence?: boolean;
}

/** When an order has to be shipped, or how late it is. */
export function DueDate({ due, dayEnd, isSentence = false }: Props) {
  const formats = useFormats();
  if (due === null) return <EmptyValue />;
  const group = dueGroupOf(due, Date.now(), dayEnd);
  const text =
    group === 'overdue'
      ? lateness(due, formats)
      : group === 'today'
        ? `today, ${formats.clock(due)}`
        : formats.day(due);
  const shown = isSentence && group !== 'overdue' ? `Due ${text}` : text;
  return (
    <time dateTime={due} title={formats.time(due)} data-due={group} className={styles.due}>
      {shown.charAt(0).toUpperCase() + shown.slice(1)}
    </time>
  );
}

function lateness(due: string, { count }: Formats): string {
  const hours = Math.max(1, Math.floor((Date.now() - Date.parse(due)) / HOUR_MS));
  return hours < MAX_HOURS ? `${count(hours, 'hour')} late` : `${count(Math.floor(hours / 24), 'day')} late`;
}
