import { orNull, record, time } from '../../http/schema.ts';
import type { UserSummary } from '../../users/list-users.ts';
import { type Role, roles } from '../../users/role.ts';

export interface Invited {
  email: string;
  role: Role;
  new_user: boolean;
  set_password_url: string;
  mailed: boolean;
  expires_at: string;
}

export interface Removed {
  removed: string;
}

export const invitedSchema = record<Invited>('Invitation', 'An invitation to a merchant’s console.', {
  email: { type: 'string', description: 'The email with which the user signs in.' },
  role: { type: 'string', enum: roles, description: 'What the user may do in the console.' },
  new_user: { type: 'boolean', description: 'Whether the user was created.' },
  set_password_url: {
    type: 'string',
    description:
      'The page on which the user sets a password, or accepts the invitation if the person has one. It works once, ' +
      'and replaces earlier ones.',
  },
  mailed: {
    type: 'boolean',
    description: 'Whether the user also gets a mail with a link. That requires `SMTP_URL`.',
  },
  expires_at: { ...time, description: 'When the link expires.' },
});

export const removedSchema = record<Removed>('RemovedUser', 'A user who was removed.', {
  removed: { type: 'string', description: 'The email of the user.' },
});

export const userSchema = record<UserSummary>('MerchantUser', 'A user of a merchant’s console.', {
  email: { type: 'string', description: 'The email with which the user signs in.' },
  name: { type: 'string' },
  role: { type: 'string', enum: roles, description: 'What the user may do in the console.' },
  password: {
    type: 'boolean',
    description:
      'Whether the user has accepted the invitation, by setting a password or by signing in. Until then, it is open.',
  },
  two_factor: { type: 'boolean', description: 'Whether the user signs in with two factors.' },
  last_sign_in_at: { ...orNull(time), description: 'Null before the first sign-in.' },
  created_at: time,
});

export interface UserList {
  results: UserSummary[];
}

export const listSchema = record<UserList>('MerchantUserList', 'The users of a merchant’s console.', {
  results: { type: 'array', items: userSchema },
});

export const exampleUser: UserSummary = {
  email: 'ada@alpine-vases.example',
  name: 'Ada Miller',
  role: 'viewer',
  password: true,
  two_factor: true,
  last_sign_in_at: '2026-03-05T08:02:00Z',
  created_at: '2026-03-02T09:32:00Z',
};

export const exampleInvited: Invited = {
  email: 'ada@alpine-vases.example',
  role: 'viewer',
  new_user: true,
  set_password_url: 'https://tradepost.example/console/set-password#token=EXAMPLE',
  mailed: false,
  expires_at: '2026-03-05T09:32:00Z',
};
