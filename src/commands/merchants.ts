import { Command, InvalidArgumentError, Option } from 'commander';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import { changeMerchant, type MerchantState, merchantStates } from '../merchants/change-merchant.ts';
import { externalIdRule, isExternalId } from '../merchants/check-merchant.ts';
import {
  addMerchantWithKey,
  asOperator,
  type CreatedMerchant,
  DEFAULT_CURRENCY,
  type MerchantNeeds,
  type NewMerchant,
} from '../merchants/create-merchant.ts';
import { listMerchants, summarizeMerchant } from '../merchants/list-merchants.ts';
import { type Invitation, type InvitationNeeds, invitationNeeds, inviteUser } from '../users/invite-user.ts';
import { CommandError, type Context, printRows, requireMerchant, withDatabase } from './context.ts';
import { inviteCommand, LINK_TERMS, mailNote, removeUserCommand, usersCommand } from './users.ts';

interface CreateOptions {
  name: string;
  email?: string;
  timeZone: string;
  currency: string;
  externalId?: string;
  json?: true;
}

export function merchantsCommand(context: Context): Command {
  return new Command('merchants')
    .description('create, list and change merchants, and manage their users')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(changeCommand(context))
    .addCommand(inviteCommand(context))
    .addCommand(usersCommand(context))
    .addCommand(removeUserCommand(context));
}

function createCommand(context: Context): Command {
  return new Command('create')
    .description('create a merchant with an API key and, with --email, a console user')
    .requiredOption('--name <name>', 'unique name of the merchant')
    .option('--email <address>', 'email of the merchant and of its first console user')
    .option('--time-zone <zone>', 'IANA time zone for monthly sales', 'UTC')
    .option('--currency <code>', 'ISO 4217 currency of prices and sales', DEFAULT_CURRENCY)
    .option('--external-id <id>', 'your own ID of the merchant, for the operator API (default: its ID)')
    .option('--json', 'print JSON')
    .action(async ({ name, email, timeZone, currency, externalId, json }: CreateOptions) => {
      await withDatabase(context, async (database, config) => {
        const services = { database, now: context.now };
        if (externalId !== undefined) requireExternalId(externalId);
        const own = externalId !== undefined && { externalId };
        const merchant = { name, email: email ?? null, timeZone, currency, anyName: true, ...own };
        const by = { ...asOperator(services), ...invitationNeeds(config) };
        const created = await runVerb(services, by, createWithUser, merchant, { everyNode: true });
        const { id, keyId, token, invitation } = created;
        if (json) {
          const ofUser = invitation && { set_password_url: invitation.link, mailed: invitation.isMailed };
          context.print(JSON.stringify({ id, name, key_id: keyId, access_token: token, ...ofUser }));
          return;
        }
        context.print(`Created merchant ${id}. Token (shown once):\n${token}`);
        if (email === undefined || invitation === undefined) return;
        context.print(`Link for ${email} to set a console password (${LINK_TERMS}):\n${invitation.link}`);
        if (invitation.isMailed) context.print(mailNote(email));
      });
    });
}

/** Creates a merchant with a key and, if it has an email, a user with this email. */
async function createWithUser(
  context: WriteContext & MerchantNeeds & InvitationNeeds,
  merchant: NewMerchant,
): Promise<CreatedMerchant & { invitation: Invitation | undefined }> {
  const created = await addMerchantWithKey(context, merchant);
  const { email, name } = merchant;
  const owner = { ...context, merchantId: created.id };
  const invitation = email === null ? undefined : await inviteUser(owner, { email, name });
  return { ...created, invitation };
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('list all merchants')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) =>
        printRows(context, await listMerchants({ database }), json),
      );
    });
}

type Limit = number | 'none';

interface ChangeOptions {
  name?: string;
  email?: string;
  timeZone?: string;
  currency?: string;
  externalId?: string;
  state?: MerchantState;
  suspensionReason?: string;
  requestLimit?: Limit;
  productLimit?: Limit;
  json?: true;
}

function changeCommand(context: Context): Command {
  return new Command('change')
    .description('change a merchant, or suspend or activate it')
    .argument('<id or name>', 'merchant to change')
    .option('--name <name>', 'unique name of the merchant')
    .option('--email <address>', 'email of the merchant')
    .option('--time-zone <zone>', 'IANA time zone for monthly sales; fixed once there are schedules')
    .option('--currency <code>', 'ISO 4217 currency of prices and sales')
    .option('--external-id <id>', 'your own ID of the merchant, for the operator API')
    .addOption(
      new Option('--state <state>', 'a suspended merchant’s keys, sessions and imports are refused').choices(
        merchantStates,
      ),
    )
    .option('--suspension-reason <text>', 'why the merchant is suspended, for its users')
    .option(
      '--request-limit <number>',
      'rate limit of each key, in requests a minute, or none: RATE_LIMIT',
      readLimit,
    )
    .option('--product-limit <number>', 'products that the merchant may have, or none', readLimit)
    .option('--json', 'print JSON')
    .action(async (idOrName: string, { json, requestLimit, productLimit, ...fields }: ChangeOptions) => {
      const change = {
        ...fields,
        ...(requestLimit !== undefined && { requestLimit: numberOrNull(requestLimit) }),
        ...(productLimit !== undefined && { productLimit: numberOrNull(productLimit) }),
      };
      if (change.externalId !== undefined) requireExternalId(change.externalId);
      await withDatabase(context, async (database) => {
        const { id } = await requireMerchant(database, idOrName);
        const services = { database, now: context.now };
        const by = { ...asOperator(services), merchantId: id };
        const anyName = { ...change, anyName: true };
        const changed = await runVerb(services, by, changeMerchant, anyName, { everyNode: true });
        const summary = summarizeMerchant(changed);
        context.print(json ? JSON.stringify(summary) : `Merchant ${id} is ${summary.state}.`);
      });
    });
}

/** Reads a whole number, or `none`. */
function readLimit(text: string): Limit {
  if (text === 'none') return text;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 1 to 999999999, or none.');
}

function numberOrNull(limit: Limit): number | null {
  return limit === 'none' ? null : limit;
}

function requireExternalId(text: string): void {
  if (!isExternalId(text)) throw new CommandError(`--external-id is "${text}": expected ${externalIdRule}.`);
}
