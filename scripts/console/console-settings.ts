/**
 * Checks the settings for a console command; every command imports it first. Commands need only the settings that locate and open the
 * database. No payment provider needs to be configured, and an invalid value elsewhere must not stop an operator who wants to halt money:
 * it is reported and ignored for this command.
 */
import { providerSettings } from "../../config/missing-settings.ts";
import { readConfig } from "../../config.ts";

const neededSettings =
  /^(DATA_DIR|DATABASE_URL|DATABASE_OWNER_URL|REDIS_|SESSION_SECRET|ENCRYPTION_KEY|BACKUP_|S3_)/;

process.env.ALLOW_SANDBOX ||= "true";
const settingsResult = readConfig(process.env);
for (const line of settingsResult.ok ? [] : settingsResult.lines) {
  // A misspelt setting may be meant to name the database, its keys or a backup's recipients: ignoring it could act on another database.
  if (neededSettings.test(line) || neededSettings.test(/did you mean (\w+)\?$/.exec(line)?.[1] ?? ""))
    continue;
  console.error(`Ignored here: ${line}`);
  const names = line.slice(0, line.indexOf(":")).split(", ");
  const all = names.some((name) => /^(QPAY_|PUBLIC_URL|SMTP_URL|MAIL_|ADMIN_EMAIL)/.test(name))
    ? [...names, ...providerSettings]
    : names;
  for (const name of all) delete process.env[name];
  process.env.ALLOW_SANDBOX = "true";
}
