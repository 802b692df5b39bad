import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { errors } from '../../src/errors/errors.ts';
import { forEachEngine } from './engines.ts';
import { startTestService } from './service.ts';

forEachEngine((engine) => {
  it('detects a response with a status that its route does not declare', async () => {
    let isStarted = false;
    const tooLarge = (database: Database): Database =>
      intercept(database, {
        all: (statement, ...parameters) =>
          isStarted ? Promise.reject(errors.file_too_large(1)) : database.all(statement, ...parameters),
      });
    await using service = await startTestService(engine, { wrap: tooLarge });
    isStarted = true;
    const merchant = await service.newMerchant();
    const response = await service.get('/performance/sales.json', merchant);
    assert.equal(response.status, 413);
    await assert.rejects(service.checkStatuses(), /GET \/v1\/performance\/sales\.json: 413/);
    await service.get('/performance/sales', merchant);
    await assert.rejects(service.close(), /GET \/v1\/performance\/sales: 413/);
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
