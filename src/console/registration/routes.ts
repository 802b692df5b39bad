import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import type { ParameterProblem } from '../../http/responses/errors.ts';
import { InvalidMerchant } from '../../merchants/check-merchant.ts';
import { addMerchant } from '../../merchants/create-merchant.ts';
import { NameTaken } from '../../merchants/take-name.ts';
import { limitNetworks, limits } from '../attempts/limit-attempts.ts';
import type { Auth } from '../auth/auth.ts';
import { callAuth } from '../auth/call-auth.ts';
import type { PasswordQueue } from '../auth/password-queue.ts';
import { hasValidLength, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../auth/passwords.ts';
import { type ConsoleGate, inNetworkTurn } from '../endpoint.ts';
import { COMMON_PASSWORD, consoleErrors, consoleStatuses, formError } from '../errors.ts';
import { addUser, InvalidUser } from '../users/add-user.ts';
import { markSignedIn } from '../users/queries.ts';

/** The fields of the form, and what the form says of a blank one. */
const prompts = {
  merchant_name: 'Enter a shop name.',
  time_zone: 'Choose a time zone.',
  name: 'Enter your name.',
  email: 'Enter your email.',
  password: 'Enter a password.',
} as const;

/** Does not say which shops there are, because strangers can register. */
const TAKEN_NAME = 'This shop name isn’t available. Choose another one.';

type Form = Record<keyof typeof prompts, string>;

/** The form's field for each field of a merchant. */
const merchantFields = {
  name: 'merchant_name',
  email: 'email',
  timeZone: 'time_zone',
  currency: 'currency',
  externalId: 'external_id',
} as const;

/**
 * Registers `POST /registration`, which creates a merchant and its first user and signs the user in, if the operator
 * allows this.
 */
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
    if (!config.selfRegistration) throw consoleErrors.registration_closed();
    const form = await inNetworkTurn(services, request, async () => {
      const form = readForm(request.body);
      const address = clientAddress(request, config.trustedProxies);
      await limitNetworks(services, limits.registrationByNetwork, address);
      return form;
    });
    const auth = await services.auth();
    await passwords.serve(request, config, async () => {
      await register(services, form, randomUUID());
      const { email, password } = form;
      const { user } = (
        await callAuth(auth, request, reply, { path: '/sign-in/email', body: { email, password } })
      ).body;
      if (user === undefined) return;
      await services.database.transaction((connection) =>
        connection.run(markSignedIn, { userId: user.id, now: services.now() }),
      );
    });
    return reply.code(201).send({ status: true });
  });
}

async function register(
  { database, now, passwords }: { database: Database; now: () => number; passwords: PasswordQueue },
  { merchant_name, time_zone, name, email, password }: Form,
  registrationId: string,
): Promise<void> {
  if (await passwords.isCommon(password, { email, name, merchantName: merchant_name })) {
    throw formError([{ name: 'password', reason: COMMON_PASSWORD }]);
  }
  // Before the transaction, so that it does not stay open during the hashing.
  const passwordHash = await passwords.hash(password);
  try {
    await database.transaction(async (connection) => {
      const merchant = { name: merchant_name, email, timeZone: time_zone, registrationId };
      const merchantId = await addMerchant(connection, database.dialect, merchant, now());
      await addUser(connection, { merchantId, name, email, passwordHash }, now());
    });
  } catch (error) {
    if (error instanceof NameTaken) throw formError([{ name: 'merchant_name', reason: TAKEN_NAME }]);
    if (error instanceof InvalidMerchant) {
      throw formError(
        error.problems.map(({ field, message }) => ({ name: merchantFields[field], reason: message })),
      );
    }
    if (error instanceof InvalidUser) {
      throw formError([{ name: error.field, reason: error.message }]);
    }
    throw error;
  }
}

function readForm(body: unknown): Form {
  const input = (body ?? {}) as Record<string, unknown>;
  const problems: ParameterProblem[] = [];
  const read = (name: keyof Form): string => {
    const value = input[name];
    if (typeof value === 'string' && value.trim() !== '' && !value.includes('\0') && value.isWellFormed()) {
      return name === 'password' ? value : value.trim();
    }
    problems.push({ name, reason: prompts[name] });
    return '';
  };
  const form: Form = {
    merchant_name: read('merchant_name'),
    time_zone: read('time_zone'),
    name: read('name'),
    email: read('email'),
    password: read('password'),
  };
  if (form.password !== '' && !hasValidLength(form.password)) {
    problems.push({
      name: 'password',
      reason: `Use ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    });
  }
  if (problems.length > 0) throw formError(problems);
  return form;
}
