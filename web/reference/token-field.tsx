import { PasswordInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { keepToken, keptToken } from '../keys/kept-token.ts';
import { useStore } from '../server/store.ts';

/** The token to try things with; one that was just made is there already. */
export function TokenField() {
  const token = useStore(keptToken);
  return (
    <PasswordInput
      id="access-token"
      label="Access token to try it with"
      description={
        <>
          Kept in this page only, until it is reloaded. <Link to="/keys">Make a key</Link> if you have none at
          hand.
        </>
      }
      autoComplete="off"
      data-1p-ignore
      value={token}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the token', tabIndex: 0 }}
      onChange={(event) => keepToken(event.currentTarget.value.trim())}
    />
  );
}
