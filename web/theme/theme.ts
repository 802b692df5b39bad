import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { base } from '../server/application.ts';

const petrol: MantineColorsTuple = [
  '#edf6f8',
  '#d5e9ed',
  '#abd4dc',
  '#83c3cd',
  '#68b6c2',
  '#3f98a5',
  '#217f8d',
  '#0c6475',
  '#0a5160',
  '#083d48',
];

const plum: MantineColorsTuple = [
  '#f5f0fa',
  '#e6daf3',
  '#cfb8e8',
  '#b896dc',
  '#a67bd3',
  '#8a58bf',
  '#7747ae',
  '#66399c',
  '#532d81',
  '#3f2263',
];

const dark: MantineColorsTuple = [
  '#dde6e8',
  '#b9c7cb',
  '#97a9ae',
  '#70858b',
  '#41565c',
  '#2d3f45',
  '#1a272b',
  '#121c1f',
  '#0d1517',
  '#080f11',
];

/** Colors filled buttons, and the text of red ones, with the variables of base.css, which differ by theme. */
const variantColorResolver: VariantColorsResolver = (input) => {
  if (input.variant === 'subtle' && input.color === 'red')
    return { ...defaultVariantColorsResolver(input), color: 'var(--bad)' };
  if (input.variant !== 'filled') return defaultVariantColorsResolver(input);
  const name = input.color === 'red' ? 'danger' : 'accent';
  return {
    background: `var(--${name}-fill)`,
    hover: `var(--${name}-fill-hover)`,
    color: `var(--${name}-on-fill)`,
    border: '1px solid transparent',
  };
};

/** Without the role, a dialog's header would count as the page's banner. */
const dialog = {
  styles: { title: { fontWeight: 650, fontSize: '1.08rem', lineHeight: 1.25 } },
  attributes: { header: { role: 'none' } },
};

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver,
  colors: { accent: base === '/operator/' ? plum : petrol, dark },
  fontFamily: 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '7px', md: '10px', lg: '14px', xl: '20px' },
  fontSizes: { xs: '0.78rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'md',
        overlayProps: { backgroundOpacity: 0.45 },
        ...dialog,
      },
    },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.4 }, ...dialog } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Button: { defaultProps: { loaderProps: { type: 'dots' } } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { 'aria-label': 'Show or hide password', tabIndex: 0 },
      },
    },
  },
});

/** Maps Mantine's colors to the variables of base.css. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-soft)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--surface-sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-placeholder': 'var(--ink-faint)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--bad)',
    // Of filled buttons without a color or a variant, which `variantColorResolver` does not color.
    '--mantine-primary-color-filled': 'var(--accent-fill)',
    '--mantine-primary-color-filled-hover': 'var(--accent-fill-hover)',
  };
  return { variables: {}, light: shared, dark: shared };
};
