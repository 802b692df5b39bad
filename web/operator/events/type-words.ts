/** Words the type of an event, such as “Campaign created” for `campaign.created`. */
export function wordEventType(type: string): string {
  const words = type.replaceAll(/[._]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
