import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { TooltipValues } from '../ui/tooltip-values.tsx';
import type { Figure } from './figures.ts';

interface Props {
  month: MonthlySales;
  figures: Figure[];
  isThisMonth: boolean;
}

/** The values of the month that is selected with the pointer or the arrow keys. */
export function MonthTooltip({ month, figures, isThisMonth }: Props) {
  const formats = useFormats();
  return (
    <>
      <strong>{formats.month(month.month)}</strong>
      {isThisMonth && <p>Month to date</p>}
      <TooltipValues
        values={figures.map(({ field, label, format }) => [
          label,
          valueOrDash(month[field], format(formats)),
        ])}
      />
    </>
  );
}
