import { useFormats } from '../format/use-formats.ts';
import { EmptyValue } from '../ui/empty-value.tsx';
import { dueGroupOf } from './due.ts';
import styles from './orders.module.css';

const HOUR_MS = 3_600_000;

/** When an order has to be shipped, and how late it is. */
export function DueDate({ due, dayEnd }: { due: string | null; dayEnd: string | undefined }) {
  const formats = useFormats();
  if (due === null) return <EmptyValue />;
  const group = dueGroupOf(due, Date.now(), dayEnd);
  const { day, time, clock, count } = formats;
  const hours = Math.floor((Date.now() - Date.parse(due)) / HOUR_MS);
  const text =
    group === 'today'
      ? `Today, ${clock(due)}`
      : group === 'overdue'
        ? hours < 48
          ? `${count(Math.max(1, hours), 'hour')} late`
          : `${count(Math.floor(hours / 24), 'day')} late`
        : day(due);
  return (
    <time dateTime={due} title={time(due)} data-due={group} className={styles.due}>
      {text}
    </time>
  );
}
