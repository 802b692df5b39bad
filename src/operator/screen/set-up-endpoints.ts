import type { FastifyInstance } from 'fastify';
import { operatorUser } from '../../audit/record-audit.ts';
import { limitNetworks, limits } from '../../console/attempts/limit-attempts.ts';
import { callAuth } from '../../console/auth/call-auth.ts';
import { COMMON_PASSWORD, consoleStatuses } from '../../console/errors.ts';
import { readFormFields } from '../../console/form-fields.ts';
import { inNetworkTurn } from '../../console/network-turn.ts';
import { singleSignOnOption } from '../../console/single-sign-on/single-sign-on-endpoints.ts';
import { textIn } from '../../console/text-in.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import { marketplaceProblems } from '../../merchants/check-merchant.ts';
import { isSetUpToken, setUp, setUpState } from '../../operators/set-up.ts';
import type { ScreenOptions, SetUpLinkState } from './screen-api.ts';
import type { ScreenGate } from './screen-gate.ts';

const prompts = {
  token: 'This link is incomplete. Open it again from the log of the service.',
  name: 'Enter your name.',
  email: 'Enter your email.',
  password: 'Enter a password.',
  marketplace_name: 'Enter the name of the marketplace.',
  time_zone: 'Choose a time zone.',
  currency: 'Choose a currency.',
} as const;
type Form = Record<keyof typeof prompts, string>;

/** Registers the calls of the first start. They need no session, but the token of a link. */
export function setUpEndpoints(app: FastifyInstance, gate: ScreenGate): void {
  const { config, database, now, passwords } = gate;
  const statuses = [200, 409, ...consoleStatuses];
  app.get(
    '/options',
    { config: { statuses } },
    async (): Promise<ScreenOptions> => ({
      set_up: await setUpState(database),
      single_sign_on: singleSignOnOption(config.oidc),
    }),
  );
  app.post('/set-up/check', { config: { statuses } }, async (request): Promise<SetUpLinkState> => {
    const token = textIn(request.body, 'token');
    return await inNetworkTurn(gate, request, async () => {
      await limitNetworks(gate, limits.linkByNetwork, clientAddress(request, config.trustedProxies));
      return { valid: await isSetUpToken(database, token, now()) };
    });
  });
  app.post('/set-up', { config: { statuses } }, async (request, reply) => {
    const form = await inNetworkTurn(gate, request, async () => {
      await limitNetworks(gate, limits.linkByNetwork, clientAddress(request, config.trustedProxies));
      const form = readFormFields(request.body, prompts, marketplaceProblemsOf);
      if (!(await isSetUpToken(database, form.token, now()))) throw errors.set_up_link_gone();
      return form;
    });
    const { token, name, email, password, marketplace_name: placeName, time_zone, currency } = form;
    const auth = await gate.auth();
    await passwords.serve(request, config, async () => {
      if (await passwords.isCommon(password, { email, name, placeName }))
        throw errors.invalid_fields([{ field: 'password', reason: COMMON_PASSWORD }]);
      const passwordHash = await passwords.hash(password);
      const marketplace = { name: placeName, time_zone, currency };
      const caller = { merchantId: OPERATOR_ID, who: operatorUser({ name, email }) };
      await runVerb(gate, caller, setUp, { token, name, email, passwordHash, marketplace });
      await callAuth({ ...gate, auth }, request, reply, {
        path: '/sign-in/email',
        body: { email, password },
      });
    });
    return reply.send({ status: true });
  });
}

function marketplaceProblemsOf({ marketplace_name: name, time_zone, currency }: Form): Problem[] {
  return marketplaceProblems({ name, time_zone, currency }).map(({ field, reason }) => ({
    field: field === 'name' ? 'marketplace_name' : field,
    reason,
  }));
}
