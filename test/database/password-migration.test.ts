import { it } from 'node:test';
import { statement } from '../../src/database/database.ts';
import { passwordCosts } from '../../src/database/migrations/0009-password-costs.ts';
import { ConsoleClient, newUser } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

/** "correct horse battery", as stored before hashes included their cost. */
const OLD_HASH = 'scrypt:c2l4dGVlbiBieXRlcyEhIQ:SY1GzFai7C0L-HjPcpHgZC38PUYqpg0FHi6s1W8170w';

forEachEngine((engine) => {
  const service = useService(engine);

  it('users whose password was stored without its cost can still sign in', async () => {
    const { email } = await newUser(service(), await service().newMerchant());
    await service().database.transaction(async (connection) => {
      await connection.run(
        statement<unknown, never>(`UPDATE console_accounts SET password_hash = '${OLD_HASH}'`),
      );
      for (const sql of passwordCosts()) await connection.run(statement<unknown, never>(sql));
    });
    await new ConsoleClient(service().client).signIn(email);
  });
});
