/** `checking` → `checked` → `importing` → `done`, or `importing` → `done`. A step can fail or be canceled. */
export const importStates = ['checking', 'checked', 'importing', 'done', 'failed', 'canceled'] as const;
export type ImportState = (typeof importStates)[number];

export type Step = Extract<ImportState, 'checking' | 'importing'>;

/** An import in progress that has not reported for this long has failed: its process is gone. */
export const REPORT_TIMEOUT_MS = 20_000;

const ofFile: Readonly<Record<Step, string>> = {
  checking:
    'Reading the file was interrupted, for example by a restart of the server. Nothing was changed: upload it again.',
  importing:
    'The import was interrupted, for example by a restart of the server. The rows imported before that are in the catalog: upload the file again to import the rest.',
};

const ofBulk: Readonly<Record<Step, string>> = {
  checking:
    'The check was interrupted, for example by a restart of the server. Nothing was changed: start it again.',
  importing:
    'The change was interrupted, for example by a restart of the server. The products changed before that stay changed: start it again to change the rest.',
};

/** Returns why a step whose process is gone has failed. `is_bulk` is as in `ImportRow`. */
export function interruption(step: Step, { is_bulk }: { is_bulk: number }): string {
  // Nobody has the file that the service has written itself.
  return (is_bulk === 1 ? ofBulk : ofFile)[step];
}

/** Returns an import's state, and why it failed. Detects that the process of a step is gone. */
export function currentState(
  {
    state,
    failure,
    alive_at,
    is_bulk,
  }: { state: ImportState; failure: string | null; alive_at: number; is_bulk: number },
  now: number,
): { state: ImportState; failure: string | null } {
  const isGone = (state === 'checking' || state === 'importing') && alive_at <= now - REPORT_TIMEOUT_MS;
  return isGone ? { state: 'failed', failure: interruption(state, { is_bulk }) } : { state, failure };
}
