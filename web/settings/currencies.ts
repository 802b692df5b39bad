/** Returns the choices of currencies, with their names in the browser's language; `current` is always one of them. */
export function currenciesWith(current: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  const codes = new Set([current, ...Intl.supportedValuesOf('currency')]);
  return [...codes].sort().map((value) => ({ value, label: `${value} – ${names.of(value) ?? value}` }));
}
