import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { OPERATOR } from '../audit/record-audit.ts';
import { parseConfig } from '../config.ts';
import { hashPassword } from '../console/auth/passwords.ts';
import type { Database } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb } from '../database/write-context.ts';
import { fillDemo } from '../demo/fill-demo.ts';
import { imageRoutes } from '../demo/images.ts';
import { selfSignedCertificateFile } from '../http/tls/self-signed.ts';
import { OPERATOR_PATH } from '../operator/path.ts';
import { inviteOperator } from '../operators/invite-operator.ts';
import { openServiceDatabase, startService } from '../service.ts';
import { addUser } from '../users/add-user.ts';
import { type Context, customerVault, openLog } from './context.ts';
import { untilSignal } from './until-signal.ts';

/** Serves a sample marketplace from a temporary directory, which is deleted when it stops. */
export function demoCommand(context: Context): Command {
  return new Command('demo').description('serve a demo marketplace until stopped').action(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tradepost-demo-'));
    try {
      await serveDemo(context, directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
}

async function serveDemo(context: Context, directory: string): Promise<void> {
  const { HOST, PORT, BASE_PATH, LOG_LEVEL = 'warn' } = context.environment;
  // The images are its own, at an address that is not public.
  const CHECK_IMAGES = 'off';
  const config = parseConfig({ HOST, PORT, BASE_PATH, LOG_LEVEL, CHECK_IMAGES, DATA_DIR: directory });
  const database = await openServiceDatabase(config, context.now(), context.warn);
  const service = await startService(config, database, openLog(config), context.now, {
    addRoutes: imageRoutes,
  });
  context.print('Creating the demo marketplace…');
  const { lowInventory, lowBudget } = config;
  const customers = customerVault(config, database, () => {});
  const { origin } = new URL(service.baseUrl);
  const merchants = await fillDemo({
    database,
    now: context.now,
    lowInventory,
    lowBudget,
    customers,
    origin,
  });
  const user = await addDemoUser(database, merchants[0]?.id ?? 1, context.now());
  const operator = { email: 'operator@example.com', name: 'Demo operator' };
  const screen = { merchantId: OPERATOR_ID, who: OPERATOR, screenUrl: `${origin}${OPERATOR_PATH}` };
  const { link } = await runVerb({ database, now: context.now }, screen, inviteOperator, operator);
  const curl = (path: string, parameters: string, token = merchants[0]?.token): string =>
    `curl --cacert ${selfSignedCertificateFile(config)} "${service.baseUrl}${path}?access_token=${token}${parameters}"`;
  // First, because the demo may be stopped right after it says how.
  const stopped = untilSignal();
  context.print(`
Tradepost serves ${merchants.length} merchants at ${service.baseUrl}

${merchants.map(({ name, token }) => `  ${name.padEnd(16)} ${token}`).join('\n')}

The console is at ${new URL('/console', service.baseUrl)}: sign in as ${user.email} with ${user.password}

The operator's screen needs an authenticator app: choose a password for ${operator.email} at

  ${link}

Paste one of these into another terminal:

  ${curl('/products.json', '&per_page=2&pagination=true')}

  ${curl('/performance/sales.json', '')}

Press Ctrl-C to stop the demo and delete its data.`);
  await stopped;
  await service.close();
}

async function addDemoUser(
  database: Database,
  merchantId: number,
  now: number,
): Promise<{ email: string; password: string }> {
  const [email, password] = ['demo@example.com', randomBytes(12).toString('base64url')];
  const passwordHash = await hashPassword(password);
  const user = { name: 'Demo', email, passwordHash };
  await runVerb({ database, now: () => now }, { merchantId, who: OPERATOR }, addUser, user);
  return { email, password };
}
