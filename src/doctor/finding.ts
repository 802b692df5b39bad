/** From fine to worst. */
export const results = ['ok', 'warning', 'problem'] as const;

/** What one check found. Neither text holds a secret. */
export interface Finding {
  check: string;
  result: (typeof results)[number];
  message: string;
  /** What to do about it; null where nothing is to be done. */
  advice: string | null;
}

/** Makes the findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, result: 'ok', message, advice: null }),
    warning: (message: string, advice: string): Finding => ({ check, result: 'warning', message, advice }),
    problem: (message: string, advice: string): Finding => ({ check, result: 'problem', message, advice }),
  };
}

/** `error.message`, without the full stop at its end. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown';
}
