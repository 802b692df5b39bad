/**
 * Whether a webhook does not work although its owner wants it to: its last attempt failed, or the service has
 * disabled it because attempts failed for days or the receiver is gone.
 */
export function isDown({
  state,
  disabled_reason: reason,
}: {
  state: 'enabled' | 'failing' | 'disabled';
  disabled_reason: 'owner' | 'operator' | 'failures' | 'gone' | null;
}): boolean {
  return state === 'failing' || reason === 'failures' || reason === 'gone';
}
