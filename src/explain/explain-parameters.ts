import { campaignIdOrName, campaignName } from '../campaigns/campaign-parameters.ts';
import type { Problem } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { dayRange } from '../http/parameters/day-range.ts';
import { calendarMonth, oneOf, type ParameterType, text } from '../http/parameters/types.ts';
import { durations } from '../sales/periods.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { nearest } from '../shared/nearest.ts';
import { allFigures } from './explain-figure.ts';
import type { ExplainedFigure, FigureSelection, Selector } from './explained-figure.ts';

/** Longer than any identifier, so that an invalid one gets the same response as an unknown one. */
const MAX_LENGTH = 1000;

const ofFigure = oneOf([...allFigures.keys()]);

const figureType: ParameterType<ExplainedFigure> = {
  ...ofFigure,
  read: ({ kind, text: name }) => {
    if (kind === 'boolean') return undefined;
    const meant = nearest(name, allFigures.keys());
    const suggestion = `did you mean ${meant}? Otherwise expected ${ofFigure.expected}`;
    return allFigures.get(name) ?? (meant === undefined ? undefined : new InvalidValue(suggestion));
  },
};

const selectors = {
  month: { type: calendarMonth, description: 'The month, as `YYYY-MM`.', example: '2026-02' },
  product_identifier: { type: text(MAX_LENGTH), description: 'The unique ID of the product.' },
  duration: { type: oneOf(durations), description: 'The period, as in `performance/auctions`.' },
  internal_id: campaignIdOrName,
  name: { type: campaignName, description: 'The name of the campaign, instead of `internal_id`.' },
  ...dayRange,
} as const;

export const explainParameters = {
  figure: {
    type: figureType,
    required: true,
    description:
      'The name of the figure, which is `x-figure` of the field in this document. `sales` figures require `month`; ' +
      '`product_sales` figures `product_identifier`, and `duration` or `from` and `to`; `campaigns` and `performance` ' +
      'figures `internal_id` or `name`. `performance` figures also take `product_identifier`, `from` and `to`.',
    example: 'sales.asp',
  },
  ...selectors,
} as const;

/** @throws {DomainError} `invalid_parameters` if a selector is missing, or is not one of the figure */
export function requireSelectors(
  { figure, required, optional }: ExplainedFigure,
  selection: FigureSelection,
): void {
  const taken = [...required, ...optional];
  const problems = (Object.keys(selectors) as Selector[]).flatMap((field): Problem[] => {
    if (selection[field] === undefined) {
      const hasDays = selection.from !== undefined && selection.to !== undefined;
      if (field === 'duration' && hasDays) return [];
      const reason = `missing, expected ${selectors[field].type.expected}`;
      return required.includes(field) ? [{ field, reason }] : [];
    }
    const reason = `not used by ${figure.name}, which takes ${taken.join(', ')}`;
    return taken.includes(field) ? [] : [{ field, reason }];
  });
  if (problems.length > 0) throw errors.invalid_parameters(problems);
}
