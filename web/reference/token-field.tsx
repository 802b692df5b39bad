import { PasswordInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useStore } from '../server/store.ts';
import { recentToken } from '../session/session.ts';

/** The token for samples and for trying out. A token that was created since the last reload is filled in. */
export function TokenField() {
  const token = useStore(recentToken);
  return (
    <PasswordInput
      id="access-token"
      label="Access token"
      description={
        <>
          Fills in the samples. Kept in memory until you reload. <Link to="/keys">Create a key</Link>
        </>
      }
      autoComplete="off"
      data-1p-ignore
      value={token}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide token', tabIndex: 0 }}
      onChange={(event) => recentToken.set(event.currentTarget.value.trim())}
    />
  );
}
