import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { inputLimits } from "#db/input-limits";
import { refuseBody } from "./body-gate.ts";

let server: Bun.Server<undefined>;

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const refused = await refuseBody(request, new URL(request.url).pathname, 300);
      return new Response(refused ?? `read ${await request.text()}`);
    },
  });
});

afterAll(async () => server.stop(true));

const post = (body: string, type: string, path = "/x") =>
  fetch(new URL(path, server.url), { method: "POST", body, headers: { "Content-Type": type } }).then(
    (reply) => reply.text(),
  );

test("a body within the limits can still be read by the handler", async () => {
  expect(await post('{"a":1}', "application/json")).toBe('read {"a":1}');
  expect(await post("a=1&b=2", "application/x-www-form-urlencoded")).toBe("read a=1&b=2");
});

test("a misleading content type counts as what it would be parsed as", async () => {
  const fields = "a=1&".repeat(inputLimits.fields + 1);
  const deep = `${"[".repeat(50)}${"]".repeat(50)}`;
  const part = '--b\r\nContent-Disposition: form-data; name="a[30000000]"\r\n\r\n1\r\n--b--\r\n';
  for (const [type, body, path, refused] of [
    ["application/json; application/x-www-form-urlencoded", deep, "/x", "BODY_TOO_COMPLEX"],
    ["application/json; application/x-www-form-urlencoded", fields, "/x", "BODY_TOO_COMPLEX"],
    ["aaaaaaaaaaaax", fields, "/x", "BODY_TOO_COMPLEX"],
    ["nonsense", deep, "/x", "BODY_TOO_COMPLEX"],
    ["aaaaaaaaaaaar; multipart/form-data; boundary=b", part, "/api/x", "BAD_REQUEST"],
    ["aaaaaaaaaaaar; multipart/form-data; boundary=b", part, "/x", "BODY_TOO_COMPLEX"],
    ["Multipart/Form-Data; Boundary=b", part, "/api/x", "BAD_REQUEST"],
  ] as const)
    expect([type, await post(body, type, path)]).toEqual([type, refused]);
});

test("a slow body is given up", async () => {
  const heard = await new Promise<string>((resolve) => {
    const socket = connect(server.port ?? 0, "127.0.0.1", () => {
      socket.write(
        "POST /x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
      );
      const timer = setInterval(() => socket.write(" "), 50);
      socket.on("close", () => clearInterval(timer));
    });
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      resolve(bytes.toString());
      socket.destroy();
    });
  });
  expect(heard).toContain("BODY_TOO_SLOW");
});

test("a body that breaks off is dropped without harm", async () => {
  const socket = connect(server.port ?? 0, "127.0.0.1", () => {
    socket.write(
      "POST /x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    setTimeout(() => socket.destroy(), 50);
  });
  await new Promise((resolve) => socket.on("close", resolve));
  expect(await post("{}", "application/json")).toBe("read {}");
});
