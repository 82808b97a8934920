import { createServer, type TlsOptions } from "node:tls";
import { testCertificates } from "./certificates.ts";

/** What reached a provider by TLS: which protocol and cipher were agreed on, and the first line of each request. */
export type TlsRequest = { protocol: string | null; cipher: string; request: string };

/**
 * A payment provider of loopback that ends TLS by itself, and knows nothing: it writes down who came and answers 503. By
 * `port` it takes the place of one that has stopped.
 */
export async function startTlsProvider(
  by: keyof typeof testCertificates,
  options: TlsOptions = {},
  port = 0,
): Promise<{ port: number; met: TlsRequest[]; stop(): Promise<void> }> {
  const met: TlsRequest[] = [];
  const server = createServer({ ...testCertificates[by], ...options }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      const request = bytes.toString("latin1").split("\r\n")[0] ?? "";
      met.push({ protocol: socket.getProtocol(), cipher: socket.getCipher()?.name ?? "", request });
      socket.end("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    met,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
