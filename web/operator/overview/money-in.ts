/** Formats amounts of a currency, which may differ from the marketplace's. */
export function moneyIn(currency: string): (value: number) => string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return (value) => format.format(value);
}
