/** Returns all time zones that the browser knows, UTC and the given one, sorted. */
export function timeZonesWith(zone: string): string[] {
  return [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].sort();
}

/** Returns the city of a time zone: “New York” for “America/New_York”. */
export function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}
