import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Below the ephemeral ports: no outgoing connection takes the port while a service restarts. */
const RANGE = [10_000, 30_000] as const

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "localhost", () => probe.close(() => resolve(true)))
  })

/** A free port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...RANGE)
    if (await isFree(port)) return port
  }
}
