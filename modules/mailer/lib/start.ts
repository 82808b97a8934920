import { config, isTrial } from "#config";
import { log } from "#db/log";
import { compileAll } from "./handlebars.ts";
import "./job.ts";
import { measureMails } from "./metrics.ts";
import "./push/job.ts";
import "./retention.ts";
import { closeServer } from "./smtp.ts";

/** Checks every template; the delivery jobs themselves are defined by being imported. */
export async function startMailer(): Promise<void> {
  compileAll();
  measureMails();
  if (config().SMTP_URL === undefined && !isTrial()) {
    log().warn("SMTP_URL is not set: mail is kept in the database and reaches nobody");
  }
}

/** Closes the connections to the mail server. Call it after the jobs have stopped. */
export async function stopMailer(): Promise<void> {
  closeServer();
}
