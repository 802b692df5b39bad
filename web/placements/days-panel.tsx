import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { DayRange } from '../../src/sales/report.ts';
import { useFormats } from '../format/use-formats.ts';
import { DownloadCsv } from '../sales/download-csv.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import { figureFields, figures } from './figures.ts';
import styles from './placements.module.css';
import { type ResultsSearch, resultsQuery } from './queries.ts';

const columns = ['day', ...figureFields] as const;

interface Props {
  campaign: Campaign;
  search: ResultsSearch;
  range: DayRange;
  today: string;
}

/** The figures of each day with placements, newest first. Each day leads to its placements. */
export function DaysPanel({ campaign: { internal_id: id, name }, search, range, today }: Props) {
  const formats = useFormats();
  const days = useQuery(resultsQuery(id, range, 'day'));
  const rows = days.data?.results.toReversed();
  if (rows?.length === 0) return null;
  const file = `campaign-days-${range.from}-${range.to}`;
  return (
    <Panel
      title="By day"
      aside={<DownloadCsv name={file} columns={columns} rows={rows} label={`${name} by day`} />}
      flush
    >
      <Loaded query={days} skeleton={8}>
        {() => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          <section className={`table-frame ${styles.days}`} tabIndex={0} aria-label="Table of days">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Day</th>
                  {figures.map(({ field, label }) => (
                    <th key={field} scope="col" className="number">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows?.map(({ day, ...result }) => (
                  <tr key={day}>
                    <th scope="row">
                      <Link
                        to="/campaigns/$campaign"
                        params={{ campaign: id }}
                        search={{ ...search, lines: '', product: '', day: day ?? '' }}
                        className={styles.link ?? ''}
                      >
                        {formats.calendarDay(day ?? '')}
                      </Link>
                      {day === today && <span className={styles.today}>Today so far</span>}
                    </th>
                    {figures.map(({ field, format }) => (
                      <td key={field} className="number">
                        {valueOrDash(result[field], format(formats))}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Loaded>
    </Panel>
  );
}
