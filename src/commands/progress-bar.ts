import { SingleBar } from 'cli-progress';

/** A bar on standard error, where that is a terminal: elsewhere nothing of it shows. */
export function newProgressBar(): SingleBar {
  return new SingleBar({
    format: '{bar} {percentage} % | {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: false,
  });
}
