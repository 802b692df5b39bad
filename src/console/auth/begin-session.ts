import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';

interface Input {
  userId: string;
}

/** A schema in the form that better-auth expects (standardschema.dev). */
const inputSchema = {
  '~standard': {
    version: 1,
    vendor: 'tradepost',
    validate: (value: unknown) =>
      typeof value === 'object' && value !== null && 'userId' in value && typeof value.userId === 'string'
        ? { value: { userId: value.userId } }
        : { issues: [{ message: 'expected the ID of a user' }] },
    types: undefined as { input: Input; output: Input } | undefined,
  },
} as const;

/**
 * A plugin of better-auth that begins the session of a user whom an identity provider has signed in. It has
 * no path, so only the program can call it.
 */
export const beginSessionPlugin = {
  id: 'begin-session',
  endpoints: {
    beginSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: inputSchema, requireHeaders: true },
      async (context): Promise<{ token: string }> => {
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(context.body.userId);
        if (user === null) throw context.error('NOT_FOUND');
        const session = await internalAdapter.createSession(user.id, false, { byProvider: 1 }, true);
        await setSessionCookie(context, { session, user });
        return { token: session.token };
      },
    ),
  },
} as const;
