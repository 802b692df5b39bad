import { type Config, parseConfig, SettingError } from '../config.ts';
import { type Finding, findingsOf, reasonOf } from './finding.ts';

const NAME = /\b[A-Z][A-Z0-9_]*\b/g;

/** Reads the settings; where some cannot be used, there is a finding for each and no configuration. */
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
      return { findings: [found.ok('all of them can be used')], config };
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      findings.push(found.problem(reasonOf(error), 'see docs/reference/settings.md'));
      // The first one stops the reading: without those that it is about, the next one shows.
      const named = (error.message.match(NAME) ?? []).filter((name) => rest[name] !== undefined);
      if (named.length === 0) return { findings, config: null };
      for (const name of named) delete rest[name];
    }
  }
}
