/** Resolves to `late` if `work` takes longer than this many milliseconds. */
export async function withTimeout<Value, Late>(
  milliseconds: number,
  work: Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(() => resolve(late), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
