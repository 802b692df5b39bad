import { sumBudgetsOfAll } from '../../campaigns/queries.ts';
import type { Database, Reader } from '../../database/database.ts';
import { listCurrencies } from '../../merchants/queries.ts';
import { dayIn } from '../../merchants/time-zone.ts';
import { readMarketplace } from '../../operators/marketplace.ts';
import { sumByCategory, sumByHour, sumByPrice } from '../../placements/hourly/queries.ts';
import { DayProfile } from '../../placements/pacing/day-profile.ts';
import { readHistories } from '../../placements/pacing/request-counts.ts';
import { HOUR_MS, RequestHistory } from '../../placements/pacing/request-history.ts';
import { amountOf } from '../../shared/amounts.ts';
import type { KeptRead } from '../../shared/kept-read.ts';
import { formatTime } from '../../shared/timestamps.ts';

export interface HourFigures {
  hour: string;
  placements: number;
  spend: number;
  planned: number;
}

export interface CategoryFigures {
  category: string | null;
  placements: number;
  spend: number;
}

export interface PriceFigures {
  price: number;
  placements: number;
}

export interface CurrencyFigures {
  currency: string;
  active: number;
  exhausted: number;
  daily_budgets: number;
  placements: number;
  spend: number;
  hours: HourFigures[];
  categories: CategoryFigures[];
  prices: PriceFigures[];
}

export interface CampaignFigures {
  at: string;
  since: string;
  currencies: CurrencyFigures[];
}

interface Services {
  database: Database;
  now: () => number;
  budgets: KeptRead<Map<string, BudgetsOfCurrency>>;
}

/**
 * Reads what the placements of all merchants cost in the last hours, the present one included, against what
 * their campaigns plan. Reads no placements, only what is kept of hours.
 */
export async function readCampaignFigures(
  { database, now: clock, budgets: keptBudgets }: Services,
  hours: number,
): Promise<CampaignFigures> {
  const now = clock();
  const since = now - (now % HOUR_MS) - (hours - 1) * HOUR_MS;
  const [byHour, byCategory, byPrice, budgets, histories, marketplace] = await Promise.all([
    database.all(sumByHour, { since }),
    database.all(sumByCategory, { since }),
    database.all(sumByPrice, { since }),
    keptBudgets.read(),
    readHistories(database, now),
    readMarketplace(database),
  ]);
  const starts = Array.from({ length: hours }, (_, hour) => since + hour * HOUR_MS);
  const shareOf = (currency: string) =>
    sharesOf(histories.get(currency) ?? new RequestHistory(), marketplace.time_zone);
  const names = new Set([...budgets.keys(), ...byHour.map(({ currency }) => currency)]);
  const currencies = [...names].map((currency): CurrencyFigures => {
    const of = <Row extends { currency: string }>(rows: readonly Row[]): Row[] =>
      rows.filter((row) => row.currency === currency);
    const { active, exhausted, daily_budgets } = budgets.get(currency) ?? NO_CAMPAIGNS;
    const share = shareOf(currency);
    const found = new Map(of(byHour).map((row) => [row.hour, row]));
    const sum = (name: 'placements' | 'amount'): number =>
      of(byHour).reduce((total, row) => total + row[name], 0);
    return {
      ...{ currency, active, exhausted, daily_budgets: cents(daily_budgets) },
      placements: sum('placements'),
      spend: amountOf(sum('amount')),
      hours: starts.map((start) => ({
        hour: formatTime(start),
        placements: found.get(start)?.placements ?? 0,
        spend: amountOf(found.get(start)?.amount ?? 0),
        planned: cents(daily_budgets * share(start)),
      })),
      categories: of(byCategory)
        .map(({ category, placements, amount }) => ({
          category: category || null,
          placements,
          spend: amountOf(amount),
        }))
        .sort((one, other) => other.placements - one.placements),
      prices: of(byPrice).map(({ price, placements }) => ({ price: amountOf(price), placements })),
    };
  });
  return {
    at: formatTime(now),
    since: formatTime(since),
    currencies: currencies.sort((one, other) => other.spend - one.spend || other.active - one.active),
  };
}

export type BudgetsOfCurrency = Pick<CurrencyFigures, 'active' | 'exhausted' | 'daily_budgets'>;
const NO_CAMPAIGNS: BudgetsOfCurrency = { active: 0, exhausted: 0, daily_budgets: 0 };

/** Reads all campaigns, by currency, without test sides. */
export async function readBudgets(database: Pick<Reader, 'all'>): Promise<Map<string, BudgetsOfCurrency>> {
  const [rows, currencies] = await Promise.all([database.all(sumBudgetsOfAll), database.all(listCurrencies)]);
  const currencyOf = new Map(
    currencies.flatMap(({ currency, ids }) => ids.split(',').map((id) => [Number(id), currency] as const)),
  );
  const budgets = new Map<string, BudgetsOfCurrency>();
  for (const { merchant_id, active, exhausted, daily_budgets } of rows) {
    const currency = currencyOf.get(merchant_id);
    // Of a merchant that was created just now.
    if (currency === undefined) continue;
    const sum = budgets.get(currency) ?? NO_CAMPAIGNS;
    budgets.set(currency, {
      active: sum.active + active,
      exhausted: sum.exhausted + exhausted,
      daily_budgets: sum.daily_budgets + (daily_budgets ?? 0),
    });
  }
  return budgets;
}

/** Returns the part of a day's requests expected in the hour from a time. The day is the marketplace's. */
function sharesOf(history: RequestHistory, timeZone: string): (start: number) => number {
  const profiles = new Map<string, DayProfile>();
  const dayOf = dayIn(timeZone);
  return (start) => {
    const day = dayOf(start);
    const profile = profiles.get(day) ?? new DayProfile(history, { day, timeZone, hourlySchedule: null });
    profiles.set(day, profile);
    return profile.shareAt(start + HOUR_MS) - profile.shareAt(start);
  };
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
