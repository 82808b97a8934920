import { config, isTrial } from "#config";
import { log } from "#db/log";
import { compileAll } from "../templates/compile-templates.ts";
import "../sending/delivery-job.ts";
import { measureMails } from "./metrics.ts";
import "../push/push-job.ts";
import "./erase-old-mails.ts";
import { closeServer } from "../sending/smtp-server.ts";

/** Compiles every template and registers the metrics; the delivery jobs are defined by their import. */
export async function startMailer(): Promise<void> {
  compileAll();
  measureMails();
  if (config().SMTP_URL === undefined && !isTrial()) {
    log().warn("SMTP_URL is not set: mail stays in the database and is not sent");
  }
}

/** Closes the connections to the mail server. Must be called after the jobs have stopped. */
export async function stopMailer(): Promise<void> {
  closeServer();
}
