/** What a promise settles to, or `late` where that takes longer than so many milliseconds. */
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
