/** `unknown error` for a thrown value that is not an `Error`. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}
