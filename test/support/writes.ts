import assert from 'node:assert/strict';
import type { ClientResponse, RequestOptions } from './client.ts';
import type { TestMerchant, TestService } from './service.ts';

export function postAs(
  service: () => TestService,
  merchant: () => TestMerchant,
): (path: string, form: Record<string, string>, sent?: RequestOptions) => Promise<ClientResponse> {
  return (path, form, sent = {}) =>
    service().request('POST', path, { ...sent, form: { ...form, access_token: merchant().token } });
}

/** The shape is not checked. @throws if the status is not 200 */
export function accepted<Shape = Record<string, unknown>>(response: ClientResponse): Shape {
  assert.equal(response.status, 200, response.text);
  return response.json<Shape>();
}

/** Repeats a request while the service is overloaded: a busy machine rejects some concurrent requests. */
export async function patiently(send: () => Promise<ClientResponse>): Promise<ClientResponse> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
  }
}
