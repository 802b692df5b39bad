import type { Problem } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { prompts as authPrompts } from '../auth/better-auth-endpoints.ts';
import { hasValidLength, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../auth/passwords.ts';

/** What the form says of blank fields. */
const prompts = {
  merchant_name: 'Enter a shop name.',
  time_zone: 'Choose a time zone.',
  name: 'Enter your name.',
  email: authPrompts.email,
  token: authPrompts.token,
  password: 'Enter a password.',
} as const;

type Field = keyof typeof prompts;

export interface Form extends Record<'merchant_name' | 'time_zone' | 'name' | 'password', string> {
  /** The email, or the token of the link that confirmed it. */
  emailOrToken: string;
}

/** @throws {DomainError} 400 for blank fields and a password of the wrong length */
export function readForm(body: unknown, identifiedBy: 'email' | 'token'): Form {
  const input = (body ?? {}) as Record<string, unknown>;
  const problems: Problem[] = [];
  const read = (name: Field): string => {
    const value = input[name];
    if (typeof value === 'string' && value.trim() !== '' && !value.includes('\0') && value.isWellFormed()) {
      return name === 'password' || name === 'token' ? value : value.trim();
    }
    problems.push({ field: name, reason: prompts[name] });
    return '';
  };
  const form = {
    merchant_name: read('merchant_name'),
    time_zone: read('time_zone'),
    name: read('name'),
    emailOrToken: read(identifiedBy),
    password: read('password'),
  };
  if (form.password !== '' && !hasValidLength(form.password)) {
    const reason = `Use ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`;
    problems.push({ field: 'password', reason });
  }
  if (problems.length > 0) throw errors.invalid_fields(problems);
  return form;
}
