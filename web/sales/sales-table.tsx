import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { orNothing } from '../feedback/fact.tsx';
import { useFormats } from '../format/use-formats.ts';
import { figures } from './figures.ts';

/** The figures of the charts, newest month first. */
export function SalesTable({ months }: { months: MonthlySales[] }) {
  const formats = useFormats();
  return (
    <div className="table-frame">
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">Month</th>
            {figures.map(({ field, name }) => (
              <th key={field} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((month) => (
            <tr key={month.month}>
              <td className="lead">
                <strong>{formats.month(month.month)}</strong>
              </td>
              {figures.map(({ field, name, show }) => (
                <td key={field} data-label={name} className="number">
                  {orNothing(month[field], show(formats))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
