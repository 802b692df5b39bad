/** Returns all time zones that the browser knows, UTC and the given one, sorted. */
export function timeZonesWith(zone: string): string[] {
  return [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].sort();
}
