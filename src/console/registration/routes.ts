import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import type { ParameterProblem } from '../../http/responses/errors.ts';
import { addMerchant, InvalidMerchant } from '../../merchants/create-merchant.ts';
import { limitNetworks, limits } from '../attempts/limit-attempts.ts';
import type { Auth } from '../auth/auth.ts';
import { callAuth } from '../auth/call-auth.ts';
import type { PasswordQueue } from '../auth/password-queue.ts';
import { isPasswordLength, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../auth/passwords.ts';
import { type ConsoleGate, inNetworkTurn } from '../endpoint.ts';
import { COMMON_PASSWORD, consoleStatuses, formRefused, refusals } from '../errors.ts';
import { addUser, UserRefused } from '../users/add-user.ts';

const FIELDS = ['merchant_name', 'time_zone', 'name', 'email', 'password'] as const;

type Form = Record<(typeof FIELDS)[number], string>;

/** What the form calls the things that are refused. */
const merchantFields = { name: 'merchant_name', email: 'email', timeZone: 'time_zone' } as const;

/** `POST /registration`: a merchant and its first user, who is signed in; where the operator allows it. */
export function registrationRoutes(
  app: FastifyInstance,
  services: Omit<ConsoleGate, 'unreadBytes'> & {
    config: Config;
    database: Database;
    now: () => number;
    auth: () => Promise<Auth>;
    passwords: PasswordQueue;
  },
): void {
  const { config, passwords } = services;
  app.post('/registration', { config: { statuses: [201, ...consoleStatuses] } }, async (request, reply) => {
    if (!config.selfRegistration) throw refusals.registration_closed();
    const form = await inNetworkTurn(services, request, async () => {
      const form = readForm(request.body);
      const address = clientAddress(request, config.trustedProxies);
      await limitNetworks(services, limits.registrationByNetwork, address);
      return form;
    });
    const auth = await services.auth();
    await passwords.serve(request, config, async () => {
      await register(services, form);
      const { email, password } = form;
      await callAuth(auth, request, reply, { path: '/sign-in/email', body: { email, password } });
    });
    return reply.code(201).send({ status: true });
  });
}

async function register(
  { database, now, passwords }: { database: Database; now: () => number; passwords: PasswordQueue },
  { merchant_name, time_zone, name, email, password }: Form,
): Promise<void> {
  if (await passwords.isCommon(password, { email, name, merchantName: merchant_name })) {
    throw formRefused([{ name: 'password', reason: COMMON_PASSWORD }]);
  }
  // Hashed first: no transaction waits for it.
  const passwordHash = await passwords.hash(password);
  try {
    await database.transaction(async (connection) => {
      const merchant = { name: merchant_name, email, timeZone: time_zone };
      const merchantId = await addMerchant(connection, database.dialect, merchant, now());
      await addUser(connection, { merchantId, name, email, passwordHash }, now());
    });
  } catch (error) {
    if (error instanceof InvalidMerchant) {
      throw formRefused([{ name: merchantFields[error.field], reason: error.message }]);
    }
    if (error instanceof UserRefused) {
      throw formRefused([{ name: error.field, reason: error.message }]);
    }
    throw error;
  }
}

function readForm(body: unknown): Form {
  const given = (body ?? {}) as Record<string, unknown>;
  const problems: ParameterProblem[] = [];
  const read = (name: keyof Form): string => {
    const value = given[name];
    if (typeof value === 'string' && value.trim() !== '' && !value.includes('\0') && value.isWellFormed()) {
      return name === 'password' ? value : value.trim();
    }
    problems.push({ name, reason: 'This is needed.' });
    return '';
  };
  const form = Object.fromEntries(FIELDS.map((name) => [name, read(name)])) as Form;
  if (form.password !== '' && !isPasswordLength(form.password)) {
    problems.push({
      name: 'password',
      reason: `A password has ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
    });
  }
  if (problems.length > 0) throw formRefused(problems);
  return form;
}
