// A terminal that is closed hangs up. Where there is none, SIGHUP asks for the certificate to be read again.
const SIGNALS = process.stderr.isTTY
  ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  : (['SIGINT', 'SIGTERM'] as const);

/** Resolves at the first signal to stop; a second one runs `last` and ends the process at once. */
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
