const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A second signal runs `onSecond` and ends the process immediately. */
export async function untilSignal(onSecond: () => void = () => {}): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      onSecond();
      process.exit(1);
    });
  }
}

/** Runs work, and aborts its signal with `reason()` when the process is to end. */
export async function stoppable<T>(
  work: (signal: AbortSignal) => Promise<T>,
  reason: () => Error,
): Promise<T> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(reason());
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(stopping.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** In a terminal, SIGHUP means that the terminal was closed, and ends the process. */
export function onHangup(work: () => void): void {
  if (!process.stderr.isTTY) process.on('SIGHUP', work);
}
