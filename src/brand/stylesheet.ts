import { mix } from './contrast.ts';
import { type Shades, shadesOf, type themes } from './shades.ts';

const LIGHTER = [0.93, 0.84, 0.67, 0.5, 0.36, 0.22, 0.1];
const DARKER = [0.2, 0.42];

/** Returns the stylesheet that gives the pages the color of a brand, in both themes. */
export function colorStylesheet(color: string): string {
  const shades = { light: shadesOf(color, 'light'), dark: shadesOf(color, 'dark') };
  return Object.entries(shades)
    .map(([theme, ofTheme]) => {
      const variables = { ...ofTheme, ...mantineColors(shades), ...mantineVariants(ofTheme) };
      const lines = Object.entries(variables).map(([name, value]) => `  --${name}: ${value};\n`);
      // Twice `:root`, so that it has precedence over the styles that Mantine writes into the page.
      return `:root:root[data-mantine-color-scheme="${theme}"] {\n${lines.join('')}}\n`;
    })
    .join('');
}

/** Mantine's ten shades, of which it uses the eighth in the light theme and the fifth in the dark theme. */
function mantineColors({ light, dark }: { light: Shades; dark: Shades }): Record<string, string> {
  const { accent } = light;
  const tuple = [
    ...LIGHTER.map((share) => mix(accent, '#ffffff', share)),
    accent,
    ...DARKER.map((share) => mix(accent, '#000000', share)),
  ];
  tuple[4] = dark.accent;
  return Object.fromEntries(tuple.map((value, at) => [`mantine-color-accent-${at}`, value]));
}

/** What Mantine computes from its shades. */
function mantineVariants(shades: Shades): Record<string, string> {
  const { accent, 'accent-wash': wash } = shades;
  return {
    'mantine-color-accent-filled': shades['accent-fill'],
    'mantine-color-accent-filled-hover': shades['accent-fill-hover'],
    'mantine-color-accent-light': wash,
    'mantine-color-accent-light-hover': wash,
    'mantine-color-accent-light-color': accent,
    'mantine-color-accent-outline': accent,
    'mantine-color-accent-outline-hover': wash,
    'rail-badge': 'rgb(255 255 255 / 16%)',
    'rail-focus': shades['rail-mark'],
  };
}

/** Returns the stylesheet that shows a logo instead of the product's, in `.logo`. */
export function logoStylesheet(path: string): string {
  return `.logo > svg {\n  display: none;\n}\n.logo {\n  background: url("${path}") center / contain no-repeat;\n}\n`;
}

/** The themes in which the color itself is too light or too dark for text, and what is used there instead. */
export function changedShades(color: string): { theme: keyof typeof themes; accent: string }[] {
  return (['light', 'dark'] as const)
    .map((theme) => ({ theme, accent: shadesOf(color, theme).accent }))
    .filter(({ accent }) => accent !== color);
}
