import { changedShades } from '../brand/stylesheet.ts';
import type { Config } from '../config.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Says in which themes the pages cannot use the color itself. The settings have been checked before. */
export function checkBrand({ brand: { color, logo } }: Pick<Config, 'brand'>): Finding[] {
  const found = findingsOf('brand');
  const findings: Finding[] = [];
  if (color !== null) {
    const changed = changedShades(color).map(
      ({ theme, accent }) => `${accent} in the ${theme} theme, where ${color} cannot be read as text`,
    );
    const uses = changed.length === 0 ? 'it can be read in both themes' : `text is ${changed.join(', and ')}`;
    findings.push(found.ok(`BRAND_COLOR is ${color}: ${uses}`));
  }
  if (logo?.type === 'image/svg+xml')
    findings.push(found.ok('BRAND_LOGO is an SVG image, which mails do not show'));
  return findings;
}
