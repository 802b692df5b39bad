import { contrast, mix } from './contrast.ts';

/** What WCAG 2 (AA) requires of text, and of everything else that has to be seen. */
export const TEXT = 4.5;
export const SHAPE = 3;

const WHITE = '#ffffff';
const BLACK = '#000000';
/** The marked entry of the navigation, over its background. */
const OVERLAY = 0.12;
const STEPS = 50;

/** The backgrounds and texts of web/theme/base.css that the shades of a brand meet. */
export const themes = {
  light: {
    page: '#f3f6f6',
    surface: '#ffffff',
    sunken: '#f0f4f4',
    softInk: '#51656b',
    /** What makes a color stand out more from the backgrounds. */
    away: BLACK,
    wash: 0.14,
  },
  dark: {
    page: '#0d1517',
    surface: '#131e21',
    sunken: '#1a272b',
    softInk: '#a3b4b9',
    away: WHITE,
    wash: 0.24,
  },
} as const;

type Theme = (typeof themes)[keyof typeof themes];

/** Colors of one theme, by the names of their variables in web/theme/base.css. */
export interface Shades {
  accent: string;
  'accent-wash': string;
  chart: string;
  'accent-fill': string;
  'accent-fill-hover': string;
  'accent-on-fill': string;
  rail: string;
  'rail-deep': string;
  'rail-glow': string;
  'rail-ink': string;
  'rail-soft': string;
  'rail-mark': string;
}

/**
 * Derives the colors of a theme from the color of a brand, which is darkened or lightened only as far as its
 * contrast requires: any color can be read.
 */
export function shadesOf(color: string, name: keyof typeof themes): Shades {
  const theme = themes[name];
  const backgrounds = [theme.page, theme.surface, theme.sunken];
  // Less of the color, until texts can be read on it.
  const wash = firstThat(
    (share) => mix(theme.surface, color, theme.wash * (1 - share)),
    (shade) => contrast(shade, theme.softInk) >= TEXT,
  );
  const accent = awayFrom([...backgrounds, wash], color, theme, TEXT);
  const fill = awayFrom(backgrounds, color, theme, SHAPE);
  const onFill = contrast(fill, WHITE) >= TEXT ? WHITE : BLACK;
  return {
    accent,
    'accent-wash': wash,
    chart: awayFrom(backgrounds, color, theme, SHAPE),
    'accent-fill': fill,
    'accent-fill-hover': mix(fill, onFill === WHITE ? BLACK : WHITE, 0.16),
    'accent-on-fill': onFill,
    ...railOf(color, name),
  };
}

/** The navigation is dark in both themes. */
function railOf(color: string, name: keyof typeof themes) {
  const lit = firstThat(
    (share) => mix(color, BLACK, 0.3 + 0.7 * share),
    (shade) => contrast(mix(shade, WHITE, OVERLAY), WHITE) >= 10,
  );
  const rail = name === 'dark' ? mix(lit, BLACK, 0.35) : lit;
  const marked = mix(rail, WHITE, OVERLAY);
  const readable = (text: string): boolean => contrast(text, marked) >= TEXT && contrast(text, rail) >= TEXT;
  return {
    rail,
    'rail-deep': mix(rail, BLACK, 0.25),
    'rail-glow': firstThat(
      (share) => mix(rail, color, 0.4 * (1 - share)),
      (shade) => contrast(shade, WHITE) >= TEXT,
    ),
    'rail-ink': firstThat((share) => mix(WHITE, color, 0.12 * (1 - share)), readable),
    'rail-soft': firstThat((share) => mix(WHITE, rail, 0.34 * (1 - share)), readable),
    'rail-mark': firstThat(
      (share) => mix(color, WHITE, share),
      (shade) => contrast(shade, marked) >= SHAPE,
    ),
  };
}

/** Returns the color, darker or lighter until its contrast to all backgrounds suffices. */
function awayFrom(backgrounds: readonly string[], color: string, { away }: Theme, least: number): string {
  return firstThat(
    (share) => mix(color, away, share),
    (shade) => backgrounds.every((background) => contrast(shade, background) >= least),
  );
}

/** Returns the first shade for shares from 0 to 1 that is accepted; the last one always has to be. */
function firstThat(shadeOf: (share: number) => string, isAccepted: (shade: string) => boolean): string {
  for (let step = 0; step < STEPS; step++) {
    const shade = shadeOf(step / STEPS);
    if (isAccepted(shade)) return shade;
  }
  return shadeOf(1);
}
