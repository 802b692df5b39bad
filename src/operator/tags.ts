import type { Tag } from '../http/endpoint/declaration.ts';

export const overviewTag: Tag = {
  name: 'Overview',
  description: 'What happens in the whole marketplace, and what needs attention.',
};

export const merchantsTag: Tag = {
  name: 'Merchants',
  description: 'Merchants, their API keys and the users of their consoles.',
};

export const catalogTag: Tag = {
  name: 'Catalog',
  description: 'Products and schedules of merchants, with the operator’s authority.',
};

export const campaignsTag: Tag = { name: 'Campaigns', description: 'Advertising campaigns of merchants.' };

export const ordersTag: Tag = {
  name: 'Orders',
  description:
    'What merchants have sold. The operator states orders, and what became of packages and refunds.',
};

export const metadataTag: Tag = {
  name: 'Metadata',
  description: 'The lists of values that the marketplace uses.',
};

export const callsTag: Tag = { name: 'Calls', description: 'Calls of merchants’ software that have failed.' };

export const systemTag: Tag = {
  name: 'System',
  description: 'The service itself: its processes, settings, certificate, backups and measurements.',
};

export const marketplaceTag: Tag = {
  name: 'Marketplace',
  description: 'What the marketplace is called, and what new merchants start with.',
};
