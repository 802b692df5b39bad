const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves at the first SIGINT or SIGTERM; a second one runs `last` and ends the process at once. */
export async function untilSignal(last: () => void = () => {}): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      last();
      process.exit(1);
    });
  }
}
