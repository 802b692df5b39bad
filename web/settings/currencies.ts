/** Returns all currencies and `current`, with their names in the browser's language. */
export function currenciesWith(current: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  const codes = new Set([current, ...Intl.supportedValuesOf('currency')]);
  return [...codes].sort().map((value) => ({ value, label: `${value} – ${names.of(value) ?? value}` }));
}
