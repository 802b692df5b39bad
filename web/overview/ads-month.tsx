import { Link } from '@tanstack/react-router';
import type { Overview } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { figures } from '../placements/figures.ts';
import { Panel } from '../ui/panel.tsx';
import styles from './overview.module.css';

const shown = ['spend', 'revenue', 'return_on_spend'];

/** What campaigns cost and sold this month, next to the same days of last month. */
export function AdsMonth({ ads }: { ads: Overview['ads'] }) {
  const formats = useFormats();
  if (ads === null) return null;
  const { this_month: now, last_month_to_date: before } = ads;
  return (
    <Panel
      title="Ads this month"
      aside={
        <Link to="/campaigns" className="small">
          All campaigns
        </Link>
      }
    >
      <p className="muted small">Month to date vs. the same days of last month</p>
      <dl className={`${styles.summary} ${styles.ads}`}>
        {figures
          .filter(({ field }) => shown.includes(field))
          .map(({ field, label, format }) => {
            const text = (value: number | null): string => (value === null ? '–' : format(formats)(value));
            return (
              <div key={field}>
                <dt>{label}</dt>
                <dd>
                  {text(now[field])} <span className="muted small">vs. {text(before[field])}</span>
                </dd>
              </div>
            );
          })}
      </dl>
    </Panel>
  );
}
