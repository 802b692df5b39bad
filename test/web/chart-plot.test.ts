import assert from 'node:assert/strict';
import { it } from 'node:test';
import { barPath, linePath, plotOf, shownLabels } from '../../web/ui/chart-plot.ts';

it('a chart is divided between its axes and its positions, also before it has a size', () => {
  const plot = plotOf(468, 236, 4, 1);
  assert.deepEqual([plot.left, plot.right, plot.band], [46, 446, 100]);
  assert.deepEqual([0, 3].map(plot.center), [96, 396]);
  assert.deepEqual([plot.y(0, 10), plot.y(5, 10), plot.y(10, 10)], [206, 106, 6]);
  assert.equal(plotOf(468, 236, 4, 2).right, 400);
  assert.equal(plotOf(0, 0, 0, 1).band, 0);
});

it('labels of an axis are at equal steps, do not touch, and end with the last', () => {
  const all = [0, 1, 2, 3, 4, 5];
  assert.deepEqual(shownLabels(all, 50, 50), all);
  assert.deepEqual(shownLabels(all, 50, 51), [1, 3, 5]);
  assert.deepEqual(shownLabels([5, 29, 53], 2, 60), [5, 53]);
  assert.deepEqual(shownLabels([3], 1, 60), [3]);
  assert.deepEqual(shownLabels([], 1, 60), []);
});

it('a line is interrupted where a value is missing', () => {
  const points = [{ x: 1, y: 2 }, { x: 3, y: 4 }, undefined, { x: 7, y: 8 }];
  assert.equal(linePath(points), 'M1,2L3,4M7,8');
});

it('the corners of a bar are rounded at most as far as the bar is high', () => {
  assert.equal(barPath(0, 99, 26, 100), 'M0,100V100A1 1 0 0 1 1,99H25A1 1 0 0 1 26,100V100Z');
  assert.match(barPath(0, 0, 26, 100), /^M0,100V3A3 3 /);
});
