import { campaignOf } from '../campaigns/campaign-record.ts';
import { campaignFigures } from '../campaigns/figures.ts';
import { findCampaignId } from '../campaigns/id-of-campaign.ts';
import { findCampaign } from '../campaigns/queries.ts';
import { errors } from '../errors/errors.ts';
import { dayIn } from '../merchants/time-zone.ts';
import { performanceOf } from '../placements/performance/campaign-performance.ts';
import { performanceFigures } from '../placements/performance/figures.ts';
import { findProductId } from '../products/record/queries.ts';
import { explainedFigures, type FigureSource, type FoundFigure } from './explained-figure.ts';

const performanceExplained = explainedFigures<keyof typeof performanceFigures>({
  figures: performanceFigures,
  required: [],
  optional: ['internal_id', 'name', 'product_identifier', 'from', 'to'],
  async find({ reader, merchantId }, selection, field) {
    const { product_identifier: identifier, from, to } = selection;
    const campaignId = await findCampaignId(reader, merchantId, selection);
    const product =
      identifier === undefined ? undefined : await reader.first(findProductId, { merchantId, identifier });
    if (identifier !== undefined && product === undefined) throw errors.product_not_found(identifier);
    const days = { merchantId, campaignId, from, to };
    const record = await performanceOf(reader, days, product?.internal_id);
    const query = { product_identifier: identifier, from, to };
    return placementsOf(campaignId, { value: record[field], lines: record.placements, query });
  },
});

const campaignsExplained = explainedFigures<keyof typeof campaignFigures>({
  figures: campaignFigures,
  required: [],
  optional: ['internal_id', 'name'],
  async find({ reader, merchantId, timeZone, now }: FigureSource, selection, field) {
    const campaignId = await findCampaignId(reader, merchantId, selection);
    const row = await reader.first(findCampaign, { merchantId, id: campaignId });
    if (row === undefined) throw errors.campaign_not_found(campaignId);
    const campaign = campaignOf(row, now);
    const value = campaign[field];
    if (field === 'products')
      return { value, lines: value, path: 'products/search', query: { campaign_name: campaign.name } };
    if (field !== 'spend_today')
      return placementsOf(campaignId, { value, lines: campaign.placements, query: {} });
    const today = dayIn(timeZone)(now);
    const days = { merchantId, campaignId, from: today, to: today };
    const { placements } = await performanceOf(reader, days);
    return placementsOf(campaignId, { value, lines: placements, query: { day: today } });
  },
});

export const campaignFiguresExplained = [...performanceExplained, ...campaignsExplained];

/** Adds the list of the campaign's delivered placements. */
function placementsOf(campaign: string, { query, ...found }: Omit<FoundFigure, 'path'>): FoundFigure {
  return { ...found, path: 'placements', query: { campaign, ...query, state: 'delivered' } };
}
