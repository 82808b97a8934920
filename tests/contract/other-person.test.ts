import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { formsOf } from "../security/backoffice-forms.fixture.ts";
import { noisePicture } from "../support/hostile/hostile-pictures.ts";
import { postForm } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { uploadImage } from "./images.fixture.ts";

// A page is shown to one person; another signs in at the same browser in another tab; then a form of that page is sent.

setDefaultTimeout(60_000);

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
}, 240_000);

const account = "5003000123";
const saved = { phoneNumber: "", bankAccount: account };
const refusalText = "Another person has signed in here";

const signIn = async (browser: Client, { username, password }: Person) =>
  expectStatus(await browser.post("/api/auth/login", { username, password }), 200);

/** Sends a form as a browser without scripts does. */
const submit = (browser: Client, path: string, fields: Record<string, string>) =>
  browser.send("POST", path, new URLSearchParams(fields).toString(), {
    "Content-Type": "application/x-www-form-urlencoded",
    Accept: "text/html",
  });

/** The form of a page that the server knows by this name, with what the page has filled in. */
function formNamed(page: Reply, name: string): { to: string; fields: Record<string, string> } {
  const found = formsOf(page).find(({ fields }) => fields.form === name);
  if (found === undefined) throw new Error(`no form "${name}" on the page`);
  return found;
}

const bankAccountOf = async (who: Client) =>
  expectStatus(await who.get("/api/auth/user"), 200).body.bankAccount ?? null;

test("an account entered on one person's page does not become another's who has signed in since", async () => {
  const [bob, alice] = await Promise.all([
    registerPerson(server, "Bob Bold"),
    registerPerson(server, "Alice Anu"),
  ]);
  const browser = server.client();
  await signIn(browser, bob);
  const { fields } = formNamed(expectStatus(await browser.get("/profile"), 200), "profile");
  await signIn(browser, alice);
  const refused = expectStatus(await submit(browser, "/profile", { ...fields, ...saved }), 409);
  expect(await bankAccountOf(alice)).toBeNull();
  expect(visibleText(refused.text)).toContain(refusalText);
  expect(refused.text).toContain("Go on as Alice Anu");
  expect(refused.headers.get("cache-control")).toBe("no-store");

  // Sent again from that page it is refused again, until the person to whom the form was shown is signed in.
  const [again] = formsOf(refused);
  expect(again?.fields).toMatchObject({ form: "profile", ...saved });
  expectStatus(await submit(browser, "/profile", again?.fields ?? {}), 409);
  await signIn(browser, bob);
  expectStatus(await submit(browser, "/profile", again?.fields ?? {}), 303);
  expect([await bankAccountOf(bob), await bankAccountOf(alice)]).toEqual([account, null]);
});

test("the person themselves, and a program that names nobody, save as before", async () => {
  const own = await registerPerson(server);
  const { fields } = formNamed(await own.get("/profile"), "profile");
  expectStatus(await submit(own, "/profile", { ...fields, ...saved }), 303);
  expect(await bankAccountOf(own)).toBe(account);
  expectStatus(await postForm(own, "/profile", { form: "profile", ...saved, bankAccount: "" }), 303);
  expect(await bankAccountOf(own)).not.toBe(account);
});

test("a room's form says nothing in the name of the other person in the room", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const path = `/chat/${roomId}`;
  const contents = async () =>
    (await seller.get(`/api/chat/rooms/${roomId}/messages`)).list.map(({ content }) => content);
  const { fields } = formNamed(await buyer.get(path), "message");
  const content = "I have sent it";
  expect((await submit(seller, path, { ...fields, content })).status).toBe(409);
  expect(await contents()).not.toContain(content);
  expectStatus(await submit(buyer, path, { ...fields, content }), 303);
  expect(await contents()).toContain(content);
});

test("a picture's form names the person in its address, and nothing is sent for another", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const { to, fields } = formNamed(await buyer.get(`/chat/${roomId}`), "image");
  delete fields.image;
  const picture = await noisePicture(40, 40).png().toBuffer();
  const send = (who: Person) =>
    uploadImage(new URL(to, `${server.url}/chat/${roomId}`).href, who, picture, fields);
  const pictures = async () =>
    (await seller.get(`/api/chat/rooms/${roomId}/messages`)).list.filter(({ type }) => type === "image");
  const refused = expectStatus(await send(seller), 409);
  expect(visibleText(refused.text)).toContain(refusalText);
  expect(formsOf(refused)).toEqual([]);
  expect(await pictures()).toEqual([]);
  expectStatus(await send(buyer), 303);
  expect((await pictures()).map(({ senderId }) => senderId)).toEqual([buyer.id]);
});

test("a back-office form does nothing in the name of another administrator", async () => {
  const [admin, other] = await Promise.all([signInAdministrator(server), registerPerson(server)]);
  const path = "/admin/users?q=nobody";
  const { fields } = formNamed(expectStatus(await admin.get(path), 200), "save-filter");
  const name = `Filter ${crypto.randomUUID().slice(0, 8)}`;
  const list = async () => (await admin.get("/admin/users")).text;
  expect(Number(fields.shownTo)).toBeGreaterThan(0);
  expectStatus(await submit(admin, path, { ...fields, name, shownTo: String(other.id) }), 409);
  expect(await list()).not.toContain(name);
  expectStatus(await submit(admin, path, { ...fields, name }), 303);
  expect(await list()).toContain(name);
});

test("a script that posts in place, and a program, are answered in their own shape", async () => {
  const [bob, alice] = await Promise.all([registerPerson(server), registerPerson(server)]);
  const fields = new URLSearchParams({ form: "profile", ...saved, shownTo: String(bob.id) }).toString();
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  const inPlace = { ...type, Accept: "text/html", "Midman-In-Place": "/profile" };
  const shown = expectStatus(await alice.send("POST", "/profile", fields, inPlace), 409);
  expect(shown.text).toMatch(/data-toast="error"/);
  expect(shown.text).not.toContain(account);
  const said = expectStatus(await alice.send("POST", "/profile", fields, type), 409);
  expect(said.body.code).toBe("OTHER_PERSON");
  expect(await bankAccountOf(alice)).toBeNull();
});

test("a password is not sent back, and a form of a person who is signed out leads to the sign-in", async () => {
  const [bob, alice] = await Promise.all([registerPerson(server), registerPerson(server)]);
  const secret = `pass ${crypto.randomUUID()}`;
  const fields = { form: "profile", ...saved, shownTo: String(bob.id) };
  const refused = expectStatus(await submit(alice, "/profile", { ...fields, currentPassword: secret }), 409);
  expect(refused.text).not.toContain(secret);
  expect(formsOf(refused)).toEqual([]);
  expect(visibleText(refused.text)).toContain("Reload this page");
  const signedOut = expectStatus(await submit(server.client(), "/profile", fields), 303);
  expect(signedOut.headers.get("location")).toStartWith("/?next=");
});

test("every form that posts names a signed-in person, and a visitor's names nobody", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const admin = await signInAdministrator(server);
  const unnamed = (page: Reply, id: number) =>
    formsOf(page).filter(({ to, fields }) => fields.shownTo !== String(id) && !to.endsWith(`?shownTo=${id}`));
  const rooms = [`/chat/${roomId}`, `/chat/${roomId}/trade`, `/chat/${roomId}/panel`, "/chat?dialog=create"];
  for (const path of ["/profile", "/settings", "/support", "/settings/delete", ...rooms]) {
    const page = expectStatus(await seller.get(path), 200);
    expect([path, formsOf(page).length > 0, unnamed(page, seller.id)]).toEqual([path, true, []]);
  }
  const { id } = expectStatus(await admin.get("/api/auth/user"), 200).body;
  for (const path of ["/admin", "/admin/money", "/admin/email/welcome", `/admin/users/${seller.id}`]) {
    const page = expectStatus(await admin.get(path), 200);
    expect([path, formsOf(page).length > 0, unnamed(page, id)]).toEqual([path, true, []]);
  }
  for (const path of ["/", "/support", "/admin/login"])
    expect(expectStatus(await server.client().get(path), 200).text).not.toContain("shownTo");
});
