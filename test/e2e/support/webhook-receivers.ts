import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"

interface Delivery {
  count: number
  body: string
  at: number
}

type Respond = (response: ServerResponse) => void

/** One endpoint of events, and what it received. */
export class Receiver {
  /** By event id, in the order of the first delivery. */
  readonly deliveries = new Map<string, Delivery>()
  /** Every request must be signed with each of these. The package `standardwebhooks` verifies it. */
  secrets: string[] = []
  invalidSignatures = 0
  /** Requests with the id of an earlier event and another body. */
  changedBodies = 0
  refused = 0
  signaturesOfLast = 0
  respond: Respond = (response) => response.writeHead(204).end()
  /** Deliveries that it does not accept are only counted as refused. */
  accepts = true

  receive(request: IncomingMessage, body: string) {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const id = headers["webhook-id"] ?? ""
    this.signaturesOfLast = (headers["webhook-signature"] ?? "").split(" ").length
    for (const secret of this.secrets)
      try {
        new Webhook(secret).verify(body, headers)
      } catch {
        this.invalidSignatures++
      }
    if (!this.accepts) {
      this.refused++
      return
    }
    const earlier = this.deliveries.get(id)
    if (earlier && earlier.body !== body) this.changedBodies++
    this.deliveries.set(id, { count: (earlier?.count ?? 0) + 1, body, at: earlier?.at ?? Date.now() })
  }
}

/** Host names for the resolver of the service, with their addresses by record type. */
export const HOSTS: Record<string, Record<string, string>> = {
  "inside.example.org": { A: "10.0.0.7" },
  "loop.example.org": { A: "127.0.0.1" },
  "six.example.org": { AAAA: "fd00::1" },
  "nowhere.example.org": {},
}
const RECORD_TYPES: Record<string, number> = { A: 1, AAAA: 28 }

/** Receivers by their paths, and a DNS resolver over HTTPS. */
export class ReceiverServer {
  readonly receivers = new Map<string, Receiver>()
  private readonly server: Server = createServer((request, response) => this.handle(request, response))

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve))
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  add(name: string): Receiver {
    const receiver = new Receiver()
    this.receivers.set(name, receiver)
    return receiver
  }

  stop() {
    this.server.closeAllConnections()
    this.server.close()
  }

  private async handle(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://receiver")
    if (pathname === "/dns-query") {
      const type = searchParams.get("type") ?? ""
      const data = HOSTS[searchParams.get("name") ?? ""]?.[type]
      response.setHeader("content-type", "application/dns-json")
      response.end(JSON.stringify({ Status: 0, Answer: data ? [{ type: RECORD_TYPES[type], data }] : [] }))
      return
    }
    // A service that is killed leaves half a request.
    const body = await text(request).catch(() => undefined)
    const receiver = this.receivers.get(pathname.slice(1))
    if (body === undefined || !receiver) {
      response.writeHead(404).end()
      return
    }
    receiver.receive(request, body)
    receiver.respond(response)
  }
}
