import type { ReportPeriod, SalesReport } from '../../src/sales/report.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { TooltipValues } from '../ui/tooltip-values.tsx';
import type { Figure } from './figures.ts';
import { partOf, periodName } from './period-words.ts';

interface Props {
  period: ReportPeriod;
  unit: SalesReport['unit'];
  figures: Figure[];
}

/** The values of the selected period, and of the days that it is compared with. */
export function PeriodTooltip({ period, unit, figures }: Props) {
  const formats = useFormats();
  const part = partOf(period, unit, formats);
  const valuesOf = (sales: ReportPeriod['sales']) =>
    figures.map(({ field, label, format }) => [label, valueOrDash(sales[field], format(formats))] as const);
  const { compared } = period;
  return (
    <>
      <strong>{periodName(period, unit, formats)}</strong>
      {part !== undefined && <p>{part}</p>}
      <TooltipValues values={valuesOf(period.sales)} />
      {compared !== null && (
        <>
          <p>vs. {formats.calendarRange(compared.from, compared.to)}</p>
          <TooltipValues values={valuesOf(compared.sales)} />
        </>
      )}
    </>
  );
}
