import assert from 'node:assert/strict';
import type { NewSupportView } from '../../src/operator/screen/screen-api.ts';
import type { OperatorRole } from '../../src/operators/role.ts';
import { ConsoleClient } from './console.ts';
import { signedInOperator } from './operators.ts';
import type { TestMerchant, TestService } from './service.ts';

/** Resolves to the code that opens a support view of a merchant, on behalf of a signed-in operator. */
export async function supportCode(
  operator: ConsoleClient,
  merchant: Pick<TestMerchant, 'id'>,
): Promise<string> {
  const response = await operator.post('/support-views', { external_id: String(merchant.id) });
  assert.equal(response.status, 200, response.text);
  return new URL(response.json<NewSupportView>().url).hash.slice(1);
}

/** Resolves to a client of the console with a support view of a merchant, and the operator's client. */
export async function openedSupportView(
  service: TestService,
  merchant: Pick<TestMerchant, 'id'>,
  role: OperatorRole = 'support',
): Promise<{ view: ConsoleClient; operator: ConsoleClient; email: string; name: string }> {
  const { client: operator, email, name } = await signedInOperator(service, role);
  const view = new ConsoleClient(service.client);
  const opened = await view.post('/support-view', { code: await supportCode(operator, merchant) });
  assert.equal(opened.status, 200, opened.text);
  return { view, operator, email, name };
}
