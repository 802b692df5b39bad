import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';

interface Input {
  userId: string;
  /** The passkey that signed the user in; null if an identity provider did. */
  passkeyId: string | null;
}

/** A schema in the form that better-auth expects (standardschema.dev). */
const inputSchema = {
  '~standard': {
    version: 1,
    vendor: 'tradepost',
    validate: (value: unknown) => {
      const { userId, passkeyId } = (value ?? {}) as Record<string, unknown>;
      return typeof userId === 'string' && (passkeyId === null || typeof passkeyId === 'string')
        ? { value: { userId, passkeyId } }
        : { issues: [{ message: 'expected the ID of a user, and of a passkey or null' }] };
    },
    types: undefined as { input: Input; output: Input } | undefined,
  },
} as const;

/**
 * A plugin of better-auth that begins the session of a user whom a passkey or an identity provider has signed
 * in. It has no path, so only the program can call it.
 */
export const beginSessionPlugin = {
  id: 'begin-session',
  endpoints: {
    beginSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: inputSchema, requireHeaders: true },
      async (context): Promise<{ token: string }> => {
        const { internalAdapter } = context.context;
        const { userId, passkeyId } = context.body;
        const user = await internalAdapter.findUserById(userId);
        if (user === null) throw context.error('NOT_FOUND');
        const how = { byProvider: passkeyId === null ? 1 : 0, passkeyId };
        const session = await internalAdapter.createSession(user.id, false, how, true);
        await setSessionCookie(context, { session, user });
        return { token: session.token };
      },
    ),
  },
} as const;
