import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Below the ports that systems give to outgoing connections: none of those takes it while a service is restarted. */
const RANGE = [10_000, 30_000] as const

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "localhost", () => probe.close(() => resolve(true)))
  })

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...RANGE)
    if (await isFree(port)) return port
  }
}
