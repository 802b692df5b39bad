import { type Role, roles } from '../../console/users/role.ts';
import type { EndpointReference } from '../../http/endpoint/reference.ts';
import type { NoParameters } from '../../http/parameters/bind.ts';
import { boolean, oneOf, text } from '../../http/parameters/types.ts';
import { record, time } from '../../http/schema.ts';
import { merchantsTag } from '../merchants/references.ts';

const MAX_NAME_LENGTH = 100;
export const MAX_EMAIL_LENGTH = 254;

export const userParameters = {
  email: { type: text(MAX_EMAIL_LENGTH), required: true },
  name: { type: text(MAX_NAME_LENGTH) },
  role: { type: oneOf(roles) },
  reset_two_factor: { type: boolean },
} as const;

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

const invitedSchema = record<Invited>('Invitation', 'An invitation to a merchant’s console.', {
  email: { type: 'string', description: 'The email with which the user signs in.' },
  role: { type: 'string', enum: roles, description: 'What the user may do in the console.' },
  new_user: { type: 'boolean', description: 'Whether the user was created.' },
  set_password_url: {
    type: 'string',
    description: 'The page on which the user sets a password. It works once, and replaces earlier ones.',
  },
  mailed: {
    type: 'boolean',
    description: 'Whether the user also gets a mail with a link. That requires `SMTP_URL`.',
  },
  expires_at: { ...time, description: 'When the link expires.' },
});

const removedSchema = record<Removed>('RemovedUser', 'A user who was removed.', {
  removed: { type: 'string', description: 'The email of the user.' },
});

/** `POST /merchants/{external_id}/users`. */
export const inviteUserReference: EndpointReference<typeof userParameters> = {
  name: 'inviteUser',
  tag: merchantsTag,
  summary: 'Invite a user of a merchant’s console',
  description:
    'Creates a user unless the merchant has one with this email, and returns a link with which the user sets a ' +
    'password. If a mail server is set, the user gets a link by mail too. An email belongs to one merchant.',
  parameters: {
    email: { description: 'The email with which the user signs in.', example: 'ada@alpine-vases.example' },
    name: { description: 'The name of a new user; the merchant’s name by default.', example: 'Ada Miller' },
    role: {
      description:
        'What the user may do in the console: an `owner` everything, an `editor` everything except managing users, ' +
        'keys, webhooks and the shop’s settings, a `viewer` only reads. `owner` for a new user without it; an existing ' +
        'user keeps the role without it. A merchant with users has at least one owner.',
      example: 'viewer',
    },
    reset_two_factor: {
      description: 'If true, disables two-factor authentication of a user who has lost it.',
    },
  },
  success: {
    status: 201,
    description: 'The invitation.',
    schema: invitedSchema,
    examples: {
      invitation: {
        summary: 'A new user',
        value: {
          email: 'ada@alpine-vases.example',
          role: 'viewer',
          new_user: true,
          set_password_url: 'https://tradepost.example/console/set-password?token=EXAMPLE',
          mailed: false,
          expires_at: '2026-03-05T09:32:00Z',
        } satisfies Invited,
      },
    },
  },
};

/** `DELETE /merchants/{external_id}/users/{user}`. */
export const removeUserReference: EndpointReference<NoParameters> = {
  name: 'removeUser',
  tag: merchantsTag,
  summary: 'Remove a user of a merchant’s console',
  description:
    'Ends the user’s sessions, invalidates links to set a password, and frees the email. Keys that the user created ' +
    'continue to work. The only owner of a merchant with other users cannot be removed.',
  parameters: {},
  success: {
    description: 'The email of the user.',
    schema: removedSchema,
    examples: { removed: { summary: 'A removed user', value: { removed: 'ada@alpine-vases.example' } } },
  },
};
