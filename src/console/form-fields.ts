import type { Problem } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { hasValidLength, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './auth/passwords.ts';
import { textIn } from './text-in.ts';

/**
 * Reads the text fields of a JSON body from which an account with a new password is created. `prompts` say
 * what is wrong with each field if it is blank. Only `password` and `token` keep spaces at their ends.
 * @throws {DomainError} `invalid_fields` for blank fields, for a `password` of the wrong length, and for what
 *   `problemsOf` finds in fields without these problems
 */
export function readFormFields<Name extends string>(
  body: unknown,
  prompts: Readonly<Record<Name, string>>,
  problemsOf: (fields: Record<Name, string>) => Problem[] = () => [],
): Record<Name, string> {
  const problems: Problem[] = [];
  const fields: Record<Name, string> = { ...prompts };
  let password = '';
  for (const name in prompts) {
    const value = textIn(body, name);
    const isBlank = value.trim() === '' || value.includes('\0') || !value.isWellFormed();
    if (isBlank) problems.push({ field: name, reason: prompts[name] });
    else if (name === 'password') password = value;
    fields[name] = name === 'password' || name === 'token' ? value : value.trim();
  }
  if (password !== '' && !hasValidLength(password)) {
    const reason = `Use ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`;
    problems.push({ field: 'password', reason });
  }
  if (problems.length === 0) problems.push(...problemsOf(fields));
  if (problems.length > 0) throw errors.invalid_fields(problems);
  return fields;
}
