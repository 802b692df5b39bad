import { useElementSize } from '@mantine/hooks';
import { Fragment, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import styles from './chart.module.css';
import { type Plot, plotOf, shownLabels } from './chart-plot.ts';

export interface VerticalAxis {
  /** Ascending from 0. The grid has lines at the ticks of the first axis. */
  ticks: number[];
  label: (tick: number) => string;
}

interface Props {
  title: string;
  /** The label of each position on the horizontal axis, or undefined. Labels without room are left out. */
  labels: (string | undefined)[];
  /** The first is on the left, the second on the right. */
  axes: VerticalAxis[];
  /** What is shown about a position that is selected with the pointer or the arrow keys. */
  tooltip: (index: number) => ReactNode;
  children: (plot: Plot, selected: number | undefined) => ReactNode;
}

const LABEL_GAP = 12;
const TOOLTIP_DISTANCE = 10;

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });
/** Formats the label of an axis, such as “1.2K”. */
export const tickLabel = (value: number): string => compact.format(value);

/** A chart that fills its container. Its values must also be on the page as text. */
export function Chart({ title, labels, axes, tooltip, children }: Props) {
  const { ref, width, height } = useElementSize();
  const [chosen, setChosen] = useState<number>();
  const last = labels.length - 1;
  const selected = chosen === undefined ? undefined : Math.min(chosen, last);
  const plot = plotOf(width, height, labels.length, axes.length);

  const selectPointed = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const x = clientX - currentTarget.getBoundingClientRect().left;
    const index = Math.floor((x - plot.left) / plot.band);
    setChosen(index >= 0 && index <= last ? index : undefined);
  };
  const selectWithKey = (event: KeyboardEvent) => {
    const targets: Record<string, number | undefined> = {
      ArrowLeft: Math.max(0, (selected ?? last + 1) - 1),
      ArrowRight: Math.min(last, (selected ?? -1) + 1),
      Home: 0,
      End: last,
      Escape: undefined,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    setChosen(targets[event.key]);
  };

  return (
    <div ref={ref} className={styles.chart}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys select a position
          tabIndex={0}
          role="application"
          aria-label={title}
          aria-roledescription="chart"
          onPointerDown={selectPointed}
          onPointerMove={selectPointed}
          // A finger leaves when it is lifted; its choice remains until something else has the focus.
          onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setChosen(undefined)}
          onKeyDown={selectWithKey}
          onBlur={() => setChosen(undefined)}
        >
          {selected !== undefined && (
            <rect
              className={styles.cursor}
              x={plot.center(selected) - plot.band / 2}
              y={plot.top}
              width={plot.band}
              height={plot.bottom - plot.top}
            />
          )}
          <Axes plot={plot} labels={labels} axes={axes} />
          {children(plot, selected)}
        </svg>
      )}
      <div
        className={styles.tooltipPlace}
        data-side={selected !== undefined && selected > last / 2 ? 'left' : 'right'}
        role="status"
      >
        {selected !== undefined && (
          <>
            <span style={{ width: spaceBeside(plot, selected, width, selected > last / 2) }} />
            <div className={styles.tooltip}>{tooltip(selected)}</div>
          </>
        )}
      </div>
    </div>
  );
}

/** Returns the space between a tooltip and the edge of the chart from which its position is measured. */
function spaceBeside(plot: Plot, index: number, width: number, isLeft: boolean): number {
  const x = plot.center(index);
  return (isLeft ? width - x : x) + TOOLTIP_DISTANCE;
}

function Axes({ plot, labels, axes }: { plot: Plot } & Pick<Props, 'labels' | 'axes'>) {
  const positions = labels.flatMap((label, index) => (label === undefined ? [] : [index]));
  const labelWidth = Math.max(0, ...labels.map((label) => textWidth(label ?? '')));
  return (
    <g className={styles.axes}>
      {axes.map(({ ticks, label }, axis) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an axis is known by its side
        <Fragment key={axis}>
          {ticks.map((tick) => {
            const y = plot.y(tick, ticks.at(-1) ?? 1);
            const x = axis === 0 ? plot.left - 8 : plot.right + 8;
            return (
              <Fragment key={tick}>
                {axis === 0 && <line x1={plot.left} x2={plot.right} y1={y} y2={y} />}
                <text x={x} y={y} dy="0.32em" textAnchor={axis === 0 ? 'end' : 'start'}>
                  {label(tick)}
                </text>
              </Fragment>
            );
          })}
        </Fragment>
      ))}
      <g data-axis="x">
        {shownLabels(positions, plot.band, labelWidth + LABEL_GAP).map((index) => (
          <text key={index} x={plot.center(index)} y={plot.bottom + 8} dy="0.71em" textAnchor="middle">
            {labels[index]}
          </text>
        ))}
      </g>
    </g>
  );
}

/** Returns the width of the label of an axis. */
function textWidth(text: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return text.length * 7;
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
}
