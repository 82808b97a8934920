/**
 * What a command at the console needs of the settings, imported first by each of them: where the state is and what opens it. No
 * payment provider must be configured, and a value that is wrong elsewhere stops nobody who wants to halt money: it is told, and left
 * aside for this command.
 */
import { providerSettings } from "../../config/missing-settings.ts";
import { readConfig } from "../../config.ts";

const neededSettings =
  /^(DATA_DIR|DATABASE_URL|DATABASE_OWNER_URL|REDIS_|SESSION_SECRET|ENCRYPTION_KEY|BACKUP_|S3_)/;

process.env.ALLOW_SANDBOX ||= "true";
const settingsResult = readConfig(process.env);
for (const line of settingsResult.ok ? [] : settingsResult.lines) {
  // A misspelt one may be meant to name the database, its keys or for whom a backup is encrypted: leaving it aside would act on another.
  if (neededSettings.test(line) || neededSettings.test(/did you mean (\w+)\?$/.exec(line)?.[1] ?? ""))
    continue;
  console.error(`Left aside here: ${line}`);
  const names = line.slice(0, line.indexOf(":")).split(", ");
  const all = names.some((name) => /^(QPAY_|PUBLIC_URL|SMTP_URL|MAIL_|ADMIN_EMAIL)/.test(name))
    ? [...names, ...providerSettings]
    : names;
  for (const name of all) delete process.env[name];
  process.env.ALLOW_SANDBOX = "true";
}
