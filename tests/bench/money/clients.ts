/** The people of bench:money, in a process of their own: they post to each path once, so many at once. */
export type Asked = { url: string; paths: string[]; cookie: string; atOnce: number };

process.on("message", async ({ url, paths, cookie, atOnce }: Asked) => {
  const from = performance.now();
  const left = paths.values();
  const person = async () => {
    for (const path of left) {
      const reply = await fetch(url + path, { method: "POST", headers: { cookie, "accept-language": "en" } });
      const said = await reply.text();
      if (reply.status !== 200) {
        console.error(`${path}: ${reply.status} ${said}`);
        process.exit(1);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, person));
  process.send?.({ seconds: (performance.now() - from) / 1000 });
});
process.on("disconnect", () => process.exit());
