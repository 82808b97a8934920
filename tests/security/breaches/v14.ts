// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of the sources, templates among them
import { type Breach, breach } from "./breach.ts";

export const breaches: readonly Breach[] = [
  breach("14.1.1", "a table is in no level", "docs/security/data.md", "`escrow.ruling_proposals`, ", ""),
  breach(
    "14.1.2",
    "a level does not say who reads it",
    "docs/security/data.md",
    " | the owner, members of the same room (name, email), administrators |\n",
    " |\n",
  ),
  breach(
    "14.2.1",
    "an address holds an e-mail",
    "app/ui/frame/account-menu.tsx",
    "<a href={paths.profile} className={menuEntryClasses}>",
    "<a href={`${paths.profile}?of=${person.email}`} className={menuEntryClasses}>",
  ),
  breach(
    "14.2.2",
    "what a call answers may be kept",
    "app/server/listener/listener.ts",
    'set.headers["cache-control"] ??= "no-store";',
    'set.headers["cache-control"] ??= "public, max-age=60";',
  ),
  breach(
    "14.2.2",
    "messages lie in Redis",
    "db/bus/redis-connections.ts",
    "publish: (channel, text) => (publisher.isReady ? publisher.publish(channel, text) : droppedHint),",
    "publish: (channel, text) => (publisher.isReady ? publisher.lPush(channel, text) : droppedHint),",
  ),
  breach(
    "14.2.3",
    "a page asks another site for a picture",
    "app/ui/frame/footer.tsx",
    '<MidmanMark className="size-5 text-khadag" />',
    '<img src="https://elsewhere.example/pixel.png" alt="" />',
  ),
  breach(
    "14.2.4",
    "what is sealed lies as it is",
    "modules/escrow/lib/vault/cipher.ts",
    'body: sealRowSecret(padValues(values), describeSealedPart("body", record), dataKey),',
    "body: padValues(values),",
  ),
  breach(
    "14.2.4",
    "quiet rooms are never erased",
    "modules/rooms/lib/privacy/erase-quiet-rooms.ts",
    'defineJob("rooms.retention", () => eraseQuietRooms(currentTime()).then(() => {}), { cron: "50 19 * * *" });',
    "",
  ),
  breach(
    "14.2.4",
    "the log holds an e-mail",
    "modules/identity/lib/login/register.ts",
    "data: { consents: versionsOf(shownDocuments(input)) },",
    "data: { consents: versionsOf(shownDocuments(input)), email: input.email },",
  ),
  breach(
    "14.3.1",
    "a page leaves what it kept",
    "modules/identity/lib/request/session-cookie.ts",
    ', "Clear-Site-Data": pageStorageDirective });',
    " });",
  ),
  breach(
    "14.3.1",
    "a call leaves what pages kept",
    "modules/identity/lib/core/route-replies.ts",
    '  set.headers["clear-site-data"] = pageStorageDirective;\n',
    "",
  ),
  breach(
    "14.3.2",
    "a browser keeps pages",
    "app/entry.server.tsx",
    'headers.set("Cache-Control", "no-store");',
    'headers.set("Cache-Control", "private, max-age=60");',
  ),
  breach(
    "14.3.3",
    "a script keeps more",
    "app/enhance/print.ts",
    "    button.hidden = false;\n",
    '    button.hidden = false;\n    localStorage.setItem("printed", document.title);\n',
  ),
  breach(
    "14.3.3",
    "a cookie keeps a password",
    "app/server/pages/form-draft-cookie.ts",
    "JSON.stringify(formDraftSchema.parse(values))",
    "JSON.stringify(values)",
    [
      {
        file: "app/routes/public/landing.tsx",
        find: "avatarInitials: avatarInitials ?? undefined };",
        replace: "avatarInitials: avatarInitials ?? undefined, ...form.value };",
      },
    ],
  ),
];
