import { PasswordInput } from '@mantine/core';
import { useStore } from '../server/store.ts';
import { recentToken } from '../session/session.ts';
import { useReference } from './reference-context.ts';

/** The token for samples and for trying out. A token that was created since the last reload is filled in. */
export function TokenField() {
  const token = useStore(recentToken);
  const { api } = useReference();
  return (
    <PasswordInput
      id="access-token"
      label="Access token"
      description={<>Fills in the samples. Kept in memory until you reload. {api.createKey}</>}
      autoComplete="off"
      data-1p-ignore
      value={token}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide token', tabIndex: 0 }}
      onChange={(event) => recentToken.set(event.currentTarget.value.trim())}
    />
  );
}
