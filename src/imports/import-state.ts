/** `checking` → `checked` → `importing` → `done`, or `importing` → `done`. A step can fail or be canceled. */
export const importStates = ['checking', 'checked', 'importing', 'done', 'failed', 'canceled'] as const;
export type ImportState = (typeof importStates)[number];

export type Step = Extract<ImportState, 'checking' | 'importing'>;

/** An import in progress that has not reported for this long has failed: its process is gone. */
export const REPORT_TIMEOUT_MS = 20_000;

export const interrupted: Readonly<Record<Step, string>> = {
  checking:
    'Reading the file was interrupted, for example by a restart of the server. Nothing was changed: upload it again.',
  importing:
    'The import was interrupted, for example by a restart of the server. The rows imported before that are in the catalog: upload the file again to import the rest.',
};

/** Returns an import's state, and why it failed. Detects that the process of a step is gone. */
export function currentState(
  { state, failure, alive_at }: { state: ImportState; failure: string | null; alive_at: number },
  now: number,
): { state: ImportState; failure: string | null } {
  const isGone = (state === 'checking' || state === 'importing') && alive_at <= now - REPORT_TIMEOUT_MS;
  return isGone ? { state: 'failed', failure: interrupted[state] } : { state, failure };
}
