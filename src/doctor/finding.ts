import { messageOf } from '../shared/error-message.ts';

/** From best to worst. */
export const results = ['ok', 'warning', 'problem'] as const;

/** The texts contain no secrets. */
export interface Finding {
  check: string;
  result: (typeof results)[number];
  message: string;
  /** Null if there is nothing to do. */
  advice: string | null;
}

export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, result: 'ok', message, advice: null }),
    warning: (message: string, advice: string): Finding => ({ check, result: 'warning', message, advice }),
    problem: (message: string, advice: string): Finding => ({ check, result: 'problem', message, advice }),
  };
}

export function messageWithoutPeriod(error: unknown): string {
  return messageOf(error).replace(/\.$/, '');
}
