import { Command } from 'commander';
import { examine } from '../doctor/examine.ts';
import { results } from '../doctor/finding.ts';
import type { Context } from './context.ts';

/** The exit status is 0 if everything is fine, 1 for warnings, 2 for problems. */
export function doctorCommand(context: Context): Command {
  return new Command('doctor')
    .description('check the installation; changes nothing')
    .option('--deep', 'also check every page of the SQLite database')
    .option('--json', 'print JSON')
    .action(async ({ deep = false, json }: { deep?: boolean; json?: true }) => {
      const findings = await examine(context.environment, context.now, { deep });
      if (json) context.print(JSON.stringify(findings, null, 2));
      else {
        for (const { check, result, message, advice } of findings) {
          const line = `${result.padEnd(8)} ${check}: ${message}`;
          context.print(advice === null ? line : `${line}; ${advice}`);
        }
      }
      process.exitCode = Math.max(...findings.map(({ result }) => results.indexOf(result)));
    });
}
