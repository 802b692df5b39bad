import { DomainError } from '../errors/domain-error.ts';
import { consoleErrors } from './errors.ts';

/** How the console words errors of the APIs. */
const messages: Readonly<Record<string, string | ((message: string) => string)>> = {
  key_not_found: (message) => message.replace('The merchant has', 'There is'),
  import_in_progress: 'Another file is being uploaded, checked or imported. Try again when it has finished.',
  webhook_disabled: 'The webhook is disabled. Enable it first.',
  replay_in_progress: 'Earlier events are still being resent. Try again when they have been sent.',
  event_not_found: 'This event no longer exists.',
};

/** Returns an error as the console's pages show it. */
export function forPages(error: DomainError): DomainError {
  if (error.code === 'file_too_large') return consoleErrors.invalid(error.message);
  const reworded = messages[error.code];
  if (reworded === undefined) return error;
  const message = typeof reworded === 'string' ? reworded : reworded(error.message);
  return new DomainError(error.code, { message });
}
