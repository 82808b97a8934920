/** Why the port cannot be listened on, in one line that names the setting; undefined if it can. */
export function findListenProblem({
  port,
  hostname,
}: {
  port: number;
  hostname: string;
}): string | undefined {
  try {
    Bun.listen({ port, hostname, socket: { data() {} } }).stop(true);
    return undefined;
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      return `PORT: ${port} of ${hostname} is used by another program; stop it, or set another port`;
    if (code === "EACCES") return `PORT: ${port} needs rights that this user does not have`;
    return `HOST: ${hostname} cannot be listened on (${code})`;
  }
}
