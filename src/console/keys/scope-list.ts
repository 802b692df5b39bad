import { parseScopes, type Scope, scopes } from '../../api-keys/scopes.ts';
import type { ParameterType } from '../../http/parameters/types.ts';

export const scopeList: ParameterType<Scope[]> = {
  expected: `one or more of ${scopes.join(', ')}, separated by commas`,
  schema: { type: 'string' },
  read: ({ kind, text }) => (kind === 'text' || kind === 'string' ? parseScopes(text, scopes) : undefined),
};
