import { readConfig } from './config.ts';
import { startShop } from './shop.ts';

const shop = await startShop(readConfig(process.env), ({ type }) => {
  process.stdout.write(`took ${type}\n`);
});
process.stdout.write(`The shop listens at ${shop.url}. Install it at ${shop.url}/install\n`);
for (const { companyId, companyName } of shop.storage.installations())
  process.stdout.write(`Installed for ${companyName}, company ${companyId}\n`);
