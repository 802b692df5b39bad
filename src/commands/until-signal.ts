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

/** Runs `work` at each SIGHUP. At a terminal, that signal says that it was closed, and ends the process as ever. */
export function onHangup(work: () => void): void {
  if (!process.stderr.isTTY) process.on('SIGHUP', work);
}
