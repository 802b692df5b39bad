import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { HttpError } from '../../src/http/responses/errors.ts';
import { forEachEngine } from './engines.ts';
import { startTestService } from './service.ts';

forEachEngine((engine) => {
  it('detects a response with a status that its route does not declare', async () => {
    let isStarted = false;
    const teapot = (database: Database): Database =>
      intercept(database, {
        all: (statement, ...parameters) =>
          isStarted ? Promise.reject(new HttpError(418, 'teapot')) : database.all(statement, ...parameters),
      });
    await using service = await startTestService(engine, { wrap: teapot });
    isStarted = true;
    const merchant = await service.newMerchant();
    const response = await service.get('/performance/sales.json', merchant);
    assert.equal(response.status, 418);
    await assert.rejects(service.checkStatuses(), /GET \/v1\/performance\/sales\.json: 418/);
    await service.get('/performance/sales', merchant);
    await assert.rejects(service.close(), /GET \/v1\/performance\/sales: 418/);
  });

  it('verifies TLS certificates, and advances only its own clock', async () => {
    await using service = await startTestService(engine);
    const merchant = await service.newMerchant();
    const key = await service.newKey(merchant, service.now() + 1000);
    assert.equal((await service.get('/products.json', key)).status, 200);
    service.passTime(1000);
    assert.equal((await service.get('/products.json', key)).status, 401);
  });
});
