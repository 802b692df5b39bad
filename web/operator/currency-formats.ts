import { useMemo } from 'react';
import { Formats } from '../format/formats.ts';
import { useSession } from './session.ts';

/** Returns a function that returns the formats of a currency, in the marketplace's time zone. */
export function useCurrencyFormats(): (currency: string) => Formats {
  const { time_zone: timeZone } = useSession().marketplace;
  // A row needs several, and one is expensive to create.
  return useMemo(() => {
    const created = new Map<string, Formats>();
    return (currency) => {
      const formats = created.get(currency) ?? new Formats(timeZone, currency, 'symbol');
      created.set(currency, formats);
      return formats;
    };
  }, [timeZone]);
}
