import { useEffect } from 'react';

/** Loads a part of the page once the page is idle, so that it opens at once. */
export function useLoadedOnIdle(loadPart: () => Promise<unknown>): void {
  useEffect(() => {
    // Opening the part tries again, and reports the error.
    const load = (): void => void loadPart().catch(() => {});
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(load, 1_000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(load);
    return () => cancelIdleCallback(idle);
  }, [loadPart]);
}
