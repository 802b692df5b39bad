/** The path of a request's address, without its query. */
export function pathOf(url = ''): string {
  return url.split('?', 1)[0] ?? '';
}
