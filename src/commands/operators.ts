import { Command, Option } from 'commander';
import { OPERATOR } from '../audit/record-audit.ts';
import type { Config } from '../config.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb, type Verb } from '../database/write-context.ts';
import { DomainError } from '../errors/domain-error.ts';
import { changeOperator } from '../operators/change-operator-role.ts';
import { inviteOperator, resetOperator } from '../operators/invite-operator.ts';
import { listOperators } from '../operators/list-operators.ts';
import { removeOperator } from '../operators/remove-operator.ts';
import { type OperatorRole, operatorRoles } from '../operators/role.ts';
import { screenUrl } from '../operators/screen-url.ts';
import { CommandError, type Context, printRows, withDatabase } from './context.ts';
import { LINK_TERMS } from './users.ts';

export function operatorsCommand(context: Context): Command {
  return new Command('operators')
    .description('manage the people who run the marketplace with the operator’s screen')
    .addCommand(inviteCommand(context))
    .addCommand(listCommand(context))
    .addCommand(changeCommand(context))
    .addCommand(resetCommand(context))
    .addCommand(removeCommand(context));
}

/** Runs a verb as the operator. */
function run<Input extends { email: string }, Result>(
  context: Context,
  verb: Verb<Input, Result, { screenUrl: string }>,
  input: Input,
): Promise<Result> {
  return withDatabase(context, (database, config: Config) =>
    runVerb(
      { database, now: context.now },
      { merchantId: OPERATOR_ID, who: OPERATOR, screenUrl: screenUrl(config) },
      verb,
      input,
    ),
  ).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'operator_not_found')
      throw new CommandError(
        `There is no operator "${input.email}". Run "tradepost operators list" to see all of them.`,
      );
    throw error;
  });
}

const roleOption = (description: string): Option =>
  new Option('--role <role>', description).choices(operatorRoles);

interface InviteOptions {
  email: string;
  name?: string;
  role?: OperatorRole;
  json?: true;
}

function inviteCommand(context: Context): Command {
  return new Command('invite')
    .description('create an operator, or a new password link for an existing one')
    .requiredOption('--email <address>', 'email that the operator signs in with')
    .option('--name <name>', 'name of a new operator (default: the email)')
    .addOption(roleOption('what the operator may do (default: admin, or the current role)'))
    .option('--json', 'print JSON')
    .action(async ({ email, name = email, role, json }: InviteOptions) => {
      const { isNew, link } = await run(context, inviteOperator, {
        ...{ email, name, role },
        allowsPassword: true,
      });
      if (json) context.print(JSON.stringify({ new_operator: isNew, set_password_url: link }));
      else
        context.print(
          `${isNew ? 'Created operator.' : 'Operator already exists.'} Link for ${email} to set a password (${LINK_TERMS}):\n${link}`,
        );
    });
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('show all operators')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withDatabase(context, async (database) =>
        printRows(context, await listOperators(database), json),
      );
    });
}

function changeCommand(context: Context): Command {
  return new Command('change')
    .description('change what an operator may do')
    .requiredOption('--email <address>', 'email of the operator')
    .addOption(roleOption('what the operator may do').makeOptionMandatory())
    .action(async ({ email, role }: { email: string; role: OperatorRole }) => {
      await run(context, changeOperator, { email, role });
      context.print(`${email} is now ${role}.`);
    });
}

function resetCommand(context: Context): Command {
  return new Command('reset')
    .description(
      'remove the password, two-factor authentication and passkeys of an operator, and create a link',
    )
    .requiredOption('--email <address>', 'email of the operator')
    .option('--json', 'print JSON')
    .action(async ({ email, json }: { email: string; json?: true }) => {
      const { link } = await run(context, resetOperator, { email, allowsPassword: true });
      if (json) context.print(JSON.stringify({ set_password_url: link }));
      else context.print(`Link for ${email} to set a password (${LINK_TERMS}):\n${link}`);
    });
}

function removeCommand(context: Context): Command {
  return new Command('remove')
    .description('remove access from an operator immediately; keys they created keep working')
    .requiredOption('--email <address>', 'email of the operator')
    .option('--json', 'print JSON')
    .action(async ({ email, json }: { email: string; json?: true }) => {
      const removed = await run(context, removeOperator, { email });
      context.print(json ? JSON.stringify({ removed }) : `Removed access of ${removed}.`);
    });
}
