/** A choice of when a key or an old token expires. */
export interface ExpiryOption {
  value: string;
  label: string;
  /** Hours from now; omitted for a custom date, `never` and `now`. */
  hours?: number;
}

export const expiryOptions: ExpiryOption[] = [
  { value: '30d', label: 'In 30 days', hours: 30 * 24 },
  { value: '90d', label: 'In 90 days', hours: 90 * 24 },
  { value: '365d', label: 'In 1 year', hours: 365 * 24 },
  { value: 'date', label: 'Custom date' },
  { value: 'never', label: 'Never' },
];

export const overlapOptions: ExpiryOption[] = [
  { value: 'now', label: 'Immediately' },
  { value: '1h', label: 'In 1 hour', hours: 1 },
  { value: '24h', label: 'In 1 day', hours: 24 },
  { value: '7d', label: 'In 7 days', hours: 7 * 24 },
];

/** Returns the expiration of the chosen option as RFC 3339, or null if the option has no hours. */
export function expiryTime(options: readonly ExpiryOption[], chosen: string): string | null {
  const hours = options.find(({ value }) => value === chosen)?.hours;
  return hours === undefined ? null : new Date(Date.now() + hours * 3_600_000).toISOString();
}
