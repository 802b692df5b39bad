/**
 * Amounts of money as whole units: ten-thousandths of a currency's major unit, for example hundredths of a
 * cent. The minor unit of every currency is a whole number of them.
 */
const UNITS = 10_000;
const DIGITS = 4;

/** 1,000,000 in the major unit. The sum of 900,000 of them is exact. */
export const MAX_UNITS = 10 ** 6 * UNITS;

/** Returns the units of a currency's minor unit (ISO 4217), for example 100 for USD and 10,000 for JPY. */
export function minorUnitOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return 10 ** (DIGITS - (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Returns the whole units of an amount in the major unit, rounded down. */
export function unitsOf(amount: number): number {
  // The product of a decimal such as 0.29 is slightly below the whole number.
  const units = amount * UNITS;
  const nearest = Math.round(units);
  return Math.abs(units - nearest) <= Number.EPSILON * Math.abs(units) ? nearest : Math.floor(units);
}

/**
 * Returns the units of a bid. A bid above 1,000,000 in the major unit counts as that: merchants may send any
 * number, and scores have to be exact.
 */
export function bidUnitsOf(bid: number): number {
  return Math.min(unitsOf(bid), MAX_UNITS);
}

/** Returns units as an amount in the major unit. */
export function amountOf(units: number): number {
  return units / UNITS;
}
