/** Of an error with several causes, such as one for each address of a host, returns the messages of all. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : 'unknown error';
}
