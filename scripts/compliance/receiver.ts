// The clock of the service, and a mail provider with Resend's API that accepts a number of mails a day.
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { DAY } from "./calendar.ts"

export interface ReceivedMail {
  to: string
  subject: string
  text: string
  /** When the service wrote it. */
  writtenAt: number
  sentAt: number
}

/** When a mail was written: its key begins with the time, as a UUID version 7 does. */
export const writtenAt = (key: string): number => Number.parseInt(key.replace("-", "").slice(0, 12), 16)

const ADDRESS = /<([^<>]+)>$/

export class Receiver {
  /** How many mails are accepted on a day in UTC. */
  readonly quota: number
  readonly mails: ReceivedMail[] = []
  readonly perDay = new Map<number, number>()
  /** How many mails were refused, and how many were sent again under their key. */
  readonly counts = { refused: 0, repeated: 0 }
  /** The quota is not applied to the mails that are left at the end. */
  isUnlimited = false
  private offset = 0
  private readonly keys = new Map<string, string>()
  private readonly server = createServer((request, response) => {
    const send = (status: number, body: object | string) => {
      response.writeHead(status, { "content-type": typeof body === "string" ? "text/plain" : "application/json" })
      response.end(typeof body === "string" ? body : JSON.stringify(body))
    }
    if (request.url === "/clock") return send(200, String(this.offset))
    const parts: Buffer[] = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const { status, body } = this.accept(request, Buffer.concat(parts).toString())
      send(status, body)
    })
  })

  constructor(quota: number) {
    this.quota = quota
  }

  async listen(): Promise<string> {
    this.server.listen(0, "127.0.0.1")
    await new Promise((resolve) => this.server.once("listening", resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  close() {
    this.server.close().closeAllConnections()
  }

  now = (): number => Date.now() + this.offset

  /** Sets the clock of the service. It goes on from there. */
  moveTo(at: number) {
    this.offset = at - Date.now()
  }

  /** Whether the quota of the day is used up. */
  get isExhausted(): boolean {
    return !this.isUnlimited && (this.perDay.get(Math.floor(this.now() / DAY)) ?? 0) >= this.quota
  }

  private accept(request: IncomingMessage, text: string): { status: number; body: object } {
    const key = String(request.headers["idempotency-key"] ?? "")
    if (this.keys.has(key)) {
      this.counts.repeated++
      return this.keys.get(key) === text
        ? { status: 200, body: { id: key } }
        : { status: 409, body: { statusCode: 409, name: "invalid_idempotent_request", message: "Another payload." } }
    }
    if (this.isExhausted) {
      this.counts.refused++
      return { status: 429, body: { statusCode: 429, name: "daily_quota_exceeded", message: "The daily quota." } }
    }
    const { to, subject, text: content } = JSON.parse(text)
    const sentAt = this.now()
    const day = Math.floor(sentAt / DAY)
    this.perDay.set(day, (this.perDay.get(day) ?? 0) + 1)
    this.keys.set(key, text)
    const address = ADDRESS.exec(to[0])?.[1] ?? to[0]
    this.mails.push({ to: address, subject, text: content, writtenAt: writtenAt(key), sentAt })
    return { status: 200, body: { id: key } }
  }
}
