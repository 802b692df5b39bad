const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const DURATION = /^(\d{1,6})([smhd])$/;

/** Reads `90d`, `12h`, `30m` or `45s` as milliseconds; undefined for other text. */
export function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  const length = Number(count) * (UNITS[unit] ?? Number.NaN);
  return length > 0 ? length : undefined;
}
