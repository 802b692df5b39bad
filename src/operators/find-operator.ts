import type { Reader } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { normalizeEmail } from '../users/add-user.ts';
import { findOperatorByEmail, findOperatorById, type OperatorRow } from './queries.ts';

/** Finds an operator by email, in any letter case. @throws {DomainError} `operator_not_found` */
export async function requireOperator(reader: Pick<Reader, 'first'>, email: string): Promise<OperatorRow> {
  const operator = await reader.first(findOperatorByEmail, { email: normalizeEmail(email) });
  if (operator === undefined) throw errors.operator_not_found(email);
  return operator;
}

/** @throws {DomainError} `operator_not_found` */
export async function requireOperatorOfId(reader: Pick<Reader, 'first'>, id: string): Promise<OperatorRow> {
  const operator = await reader.first(findOperatorById, { id });
  if (operator === undefined) throw errors.operator_not_found();
  return operator;
}
