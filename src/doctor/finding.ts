import { messageOf } from '../shared/error-message.ts';

/** The possible results of a check, from best to worst. */
export const results = ['ok', 'warning', 'problem'] as const;

/** A finding of one check. Its texts contain no secrets. */
export interface Finding {
  check: string;
  result: (typeof results)[number];
  message: string;
  /** What to do about it; null if there is nothing to do. */
  advice: string | null;
}

/** Returns functions that create findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, result: 'ok', message, advice: null }),
    warning: (message: string, advice: string): Finding => ({ check, result: 'warning', message, advice }),
    problem: (message: string, advice: string): Finding => ({ check, result: 'problem', message, advice }),
  };
}

/** Returns an error's message without the period at its end. */
export function messageWithoutPeriod(error: unknown): string {
  return messageOf(error).replace(/\.$/, '');
}
