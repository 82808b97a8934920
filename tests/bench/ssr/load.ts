/**
 * The browsers of bench:ssr, in a process of their own: several ask for one page again and again over kept connections.
 * It answers how many replies came in how many seconds; any that is not a 200 with
 * the text `marker` in it ends the process.
 */
type Asked = { url: string; cookie: string; seconds: number; atOnce: number; marker: string };

process.on("message", async (asked: Asked) => {
  const from = performance.now();
  const until = from + asked.seconds * 1000;
  let replies = 0;
  let bytes = 0;
  const browse = async () => {
    while (performance.now() < until) {
      // No compression is asked for: Midman's pages have none, and react-router-serve's would count against it.
      const reply = await fetch(asked.url, {
        headers: { cookie: asked.cookie, "accept-language": "en", "accept-encoding": "identity" },
        redirect: "manual",
      });
      const text = await reply.text();
      if (reply.status !== 200 || !text.includes(asked.marker))
        throw new Error(`${reply.status}: ${text.slice(0, 300)}`);
      replies += 1;
      bytes = text.length;
    }
  };
  await Promise.all(Array.from({ length: asked.atOnce }, browse));
  process.send?.({ replies, bytes, seconds: (performance.now() - from) / 1000 });
});
process.on("disconnect", () => process.exit());
