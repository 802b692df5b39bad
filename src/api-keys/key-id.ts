/** What an operator calls a key: its merchant's number and its own, such as `12-3`. */
export function formatKeyId(merchantId: number, id: number): string {
  return `${merchantId}-${id}`;
}

/** The two numbers of a key's id, or undefined for any other text. */
export function parseKeyId(text: string): { merchantId: number; id: number } | undefined {
  const match = /^([1-9]\d{0,14})-([1-9]\d{0,14})$/.exec(text);
  return match === null ? undefined : { merchantId: Number(match[1]), id: Number(match[2]) };
}
