/** Returns a text field of a JSON body, such as a token; empty, which no token is, unless it is a text. */
export function textIn(body: unknown, field: string): string {
  const value =
    typeof body === 'object' && body !== null && Object.hasOwn(body, field)
      ? Reflect.get(body, field)
      : undefined;
  return typeof value === 'string' ? value : '';
}
