import type { ComponentProps, FunctionComponent } from 'react';

interface Props extends Omit<ComponentProps<'svg'>, 'stroke'> {
  /** The width and height in pixels. */
  size: number;
  /** The width of the lines, in units of 1/24 of the icon's width. */
  stroke?: number;
}

/** An icon, which screen readers skip. */
export type Icon = FunctionComponent<Props>;

/** Returns a component that draws these paths in the color of the text. Coordinates are from 0 to 24. */
export function createIcon(paths: readonly string[]): Icon {
  return ({ size, stroke = 2, ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      {paths.map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
}
