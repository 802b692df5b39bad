import { Link } from '@tanstack/react-router';
import { IconArrowDownRight, IconArrowUpRight } from '../../ui/icons.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import styles from './overview.module.css';
import type { Compared } from './queries.ts';

export interface ShownFigure {
  label: string;
  figure: Compared;
  format: (value: number) => string;
  /** The list of what was counted. */
  link?: { to: '/calls' | '/merchants' | '/campaigns'; search?: Readonly<Record<string, string>> };
  /** Which change is good news, if one is. */
  isBetter?: 'more' | 'less';
  note?: string;
}

/** A figure with its change and its course; all of the card leads to its list. */
export function FigureCard({ figure: shown, before }: { figure: ShownFigure; before: string }) {
  const { label, figure, format, link, isBetter, note } = shown;
  return (
    <li className={styles.card}>
      <h3>{link === undefined ? label : <Link {...link}>{label}</Link>}</h3>
      <p className={styles.value}>
        {format(figure.current)} <Change figure={figure} isBetter={isBetter} />
      </p>
      <p className="muted small">
        {before}: {format(figure.previous)}
      </p>
      {note !== undefined && <p className="muted small">{note}</p>}
      {figure.parts.length > 0 && (
        <div className={styles.course}>
          <Sparkline values={figure.parts} />
        </div>
      )}
    </li>
  );
}

const relative = new Intl.NumberFormat(undefined, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

function Change({
  figure: { current, previous },
  isBetter,
}: {
  figure: Compared;
  isBetter: ShownFigure['isBetter'];
}) {
  if (current === previous) return null;
  const isMore = current > previous;
  const Icon = isMore ? IconArrowUpRight : IconArrowDownRight;
  const tone = isBetter === undefined ? undefined : isMore === (isBetter === 'more') ? 'good' : 'bad';
  return (
    <span className={styles.change} data-tone={tone}>
      <Icon size={15} />
      {previous === 0 ? 'New' : relative.format((current - previous) / previous)}
    </span>
  );
}
