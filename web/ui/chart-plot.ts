/** Where a chart draws, in CSS pixels. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The width of each position on the horizontal axis. */
  band: number;
  /** Returns the middle of a position. */
  center(index: number): number;
  /** Returns the height at which a value is drawn on an axis that ends at `max`. */
  y(value: number, max: number): number;
}

const MARGIN = { top: 6, right: 22, bottom: 30 };
/** The width of the labels of a vertical axis. */
const AXIS_WIDTH = 46;

/** Divides a chart of this size between its axes and the `positions` of its values. */
export function plotOf(width: number, height: number, positions: number, axes: number): Plot {
  const left = AXIS_WIDTH;
  const right = Math.max(left, width - MARGIN.right - (axes - 1) * AXIS_WIDTH);
  const { top } = MARGIN;
  const bottom = Math.max(top, height - MARGIN.bottom);
  const band = (right - left) / Math.max(1, positions);
  return {
    left,
    right,
    top,
    bottom,
    band,
    center: (index) => left + (index + 0.5) * band,
    y: (value, max) => bottom - (value / max) * (bottom - top),
  };
}

/**
 * Returns the positions whose labels are shown: all, or the last and those at equal steps before it, so that
 * labels of `width` pixels do not touch. `positions` are those with a label, in ascending order.
 */
export function shownLabels(positions: number[], band: number, width: number): number[] {
  const distances = positions.slice(1).map((position, at) => position - (positions[at] ?? 0));
  const step = Math.ceil(width / (Math.min(...distances) * band)) || 1;
  return positions.filter((_, at) => (positions.length - 1 - at) % step === 0);
}

/** Returns the outline of a bar, whose upper corners are rounded. */
export function barPath(x: number, y: number, width: number, bottom: number): string {
  const radius = Math.min(3, width / 2, bottom - y);
  const corner = `${radius} ${radius} 0 0 1`;
  return `M${x},${bottom}V${y + radius}A${corner} ${x + radius},${y}H${x + width - radius}A${corner} ${x + width},${y + radius}V${bottom}Z`;
}

/** Returns a line through the points. It is interrupted where a point is missing. */
export function linePath(points: ({ x: number; y: number } | undefined)[]): string {
  return points
    .map((point, at) => (point === undefined ? '' : `${points[at - 1] ? 'L' : 'M'}${point.x},${point.y}`))
    .join('');
}
