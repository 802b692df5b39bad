import { type Config, parseConfig, SettingError } from '../config.ts';
import { type Finding, findingsOf, messageWithoutPeriod } from './finding.ts';

const NAME = /\b[A-Z][A-Z0-9_]*\b/g;

/** Returns a finding for each invalid setting, and the configuration if there are none. */
export function checkSettings(environment: Record<string, string | undefined>): {
  findings: Finding[];
  config: Config | null;
} {
  const found = findingsOf('settings');
  const findings: Finding[] = [];
  const rest = { ...environment };
  for (;;) {
    try {
      const config = parseConfig(rest);
      if (findings.length > 0) return { findings, config: null };
      return { findings: [found.ok('all are valid')], config };
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      findings.push(found.problem(messageWithoutPeriod(error), 'see docs/reference/settings.md'));
      // Without the settings that the first error names, the next error shows.
      const named = (error.message.match(NAME) ?? [])
        .flatMap((name) => [name, `${name}_FILE`])
        .filter((name) => rest[name] !== undefined);
      if (named.length === 0) return { findings, config: null };
      for (const name of named) delete rest[name];
    }
  }
}
