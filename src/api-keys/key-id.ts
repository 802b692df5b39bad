/** The numbers that identify a key: its merchant's and its own. */
export interface KeyNumbers {
  merchantId: number;
  id: number;
}

/** Returns a key's public id: its merchant's number and its own, such as `12-3`. */
export function formatKeyId({ merchantId, id }: KeyNumbers): string {
  return `${merchantId}-${id}`;
}

/** Returns the numbers in a key's id, or undefined if the text is not a key id. */
export function parseKeyId(text: string): KeyNumbers | undefined {
  const match = /^([1-9]\d{0,14})-([1-9]\d{0,14})$/.exec(text);
  return match === null ? undefined : { merchantId: Number(match[1]), id: Number(match[2]) };
}
