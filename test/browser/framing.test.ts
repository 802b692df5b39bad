import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describeInBrowser('pages of other origins', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('cannot frame the console, with any spelling of its URL', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page, origin } = visitor;
    const elsewhere = createServer(({ url }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Elsewhere</title><iframe src="${origin}${url}"></iframe>`);
    }).listen(0, '127.0.0.1');
    t.after(() => elsewhere.close());
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    visitor.expectProblem(/^request to another origin: http:\/\/127\.0\.0\.1:/);
    visitor.expectProblem(/^console: Framing .* violates .* "frame-ancestors 'none'"/);
    visitor.expectProblem(/^net::ERR_BLOCKED_BY_RESPONSE for GET /);
    for (const path of ['/console', '/%63onsole', '/c%6Fnsole/products']) {
      const blocked = page.waitForEvent('requestfailed', (request) => request.url() === origin + path);
      await page.goto(`http://127.0.0.1:${port}${path}`);
      assert.match((await blocked).failure()?.errorText ?? '', /ERR_BLOCKED_BY_RESPONSE/, path);
      const frame = page.frames().find((one) => one !== page.mainFrame());
      assert.ok(frame !== undefined && !frame.url().startsWith(origin), `${path} is shown: ${frame?.url()}`);
    }
  });
});
