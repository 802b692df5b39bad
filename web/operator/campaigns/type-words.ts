/** Words a type such as `AuctionCampaign` as “Auction campaign”. Other text stays as it is. */
export function wordType(type: string): string {
  if (!/^(?:[A-Z][a-z]+)+$/.test(type)) return type;
  const [first = '', ...others] = type.match(/[A-Z][a-z]+/g) ?? [];
  return [first, ...others.map((word) => word.toLowerCase())].join(' ');
}
