import { queryOptions } from '@tanstack/react-query';
import type { TeamList } from '../../src/console/console-api.ts';
import { queryClient, refresh } from '../server/query-client.ts';
import { request } from '../server/request.ts';

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => request<TeamList>('team', { signal }),
});

/** Shows a changed team. */
export function showTeam(team: TeamList): void {
  queryClient.setQueryData(teamQuery.queryKey, team);
  void refresh('audit');
}
