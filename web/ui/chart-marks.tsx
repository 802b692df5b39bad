import type { ReactNode } from 'react';
import styles from './chart.module.css';
import { linePath, type Plot } from './chart-plot.ts';

const MAX_BAR_WIDTH = 26;

/** Returns the width of a bar. */
export function barWidth({ band }: Plot): number {
  return Math.min(MAX_BAR_WIDTH, band * 0.8);
}

/** Bars, which rise from the axis when they appear, unless the user prefers less motion. */
export function Bars({ plot, children }: { plot: Plot; children: ReactNode }) {
  return (
    <g className={styles.bars} style={{ transformOrigin: `0 ${plot.bottom}px` }}>
      {children}
    </g>
  );
}

/** A pattern for the bars of periods that are not over, which use its ID as `url(#ID)`. */
export function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" fill="var(--chart)" opacity="0.25" />
        <rect width="3" height="6" fill="var(--chart)" />
      </pattern>
    </defs>
  );
}

interface LineProps {
  plot: Plot;
  values: (number | null)[];
  max: number;
  color: string;
  selected: number | undefined;
}

/** A line, with dots where it would not be seen: at values without neighbors, and if there are few. */
export function Line({ plot, values, max, color, selected }: LineProps) {
  const points = values.map((value, index) =>
    value === null ? undefined : { x: plot.center(index), y: plot.y(value, max) },
  );
  return (
    <g stroke={color} strokeWidth={2.25}>
      <path d={linePath(points)} fill="none" strokeLinejoin="round" />
      {points.map((point, index) => {
        const isAlone = points[index - 1] === undefined && points[index + 1] === undefined;
        if (point === undefined || !(isAlone || points.length < 4 || index === selected)) return null;
        return (
          <circle
            key={point.x}
            cx={point.x}
            cy={point.y}
            r={index === selected ? 4.5 : 3}
            fill={index === selected ? color : 'var(--surface)'}
            {...(index === selected && { stroke: 'var(--surface)' })}
          />
        );
      })}
    </g>
  );
}

/** A dashed line for the values that others are compared with. */
export function ComparedLine({ plot, values, max }: Pick<LineProps, 'plot' | 'values' | 'max'>) {
  const points = values.map((value, index) =>
    value === null ? undefined : { x: plot.center(index), y: plot.y(value, max) },
  );
  return <path className={styles.compared} d={linePath(points)} />;
}
