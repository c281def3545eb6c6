import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { TestProject } from "vitest/node"

// Stand-ins for Resend and Postmark after their API references: `/resend` and `/postmark`. PUT /accounts/{key} creates
// an account with its failures; GET returns the mails that it accepted.

/** The outcome of one call: another response, or a connection that ends before or after the mail is accepted. */
export type Fault = "500" | "503" | "html 403" | "lost before" | "lost after" | "silent"

export interface Account {
  /** The number of mails that are accepted until `quota` is set again. */
  quota: number
  /** The number of calls per second. */
  perSecond: number
  /** The domain that may send. */
  domain: string
  /** Addresses that bounced before. */
  suppressed: string[]
  /** The outcomes of the next calls, in order. */
  faults: Fault[]
  accepted: { to: string; subject: string; key?: string; stream?: string }[]
}

interface Kept extends Account {
  calls: number[]
  /** The responses by idempotency key. */
  keys: Map<string, string>
}

const accounts = new Map<string, Kept>()

type Answer = { status: number; body: unknown; headers?: Record<string, string> }

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/
/** The address of `"Name" <address>`, or of a bare one. */
const addressIn = (mailbox: unknown) =>
  /^(?:"(?:[^"\\]|\\.)*" <([^<>]+)>|([^<>]+))$/.exec(String(mailbox))?.slice(1).find(Boolean)

/** Whether this call exceeds the limit per second. */
function isTooFast(account: Kept): boolean {
  const at = Date.now()
  account.calls = account.calls.filter((made) => made > at - 1000)
  if (account.calls.length >= account.perSecond) return true
  account.calls.push(at)
  return false
}

/** https://resend.com/docs/api-reference/emails/send-email */
function resend(request: IncomingMessage, text: string): Answer {
  const error = (status: number, name: string, message: string, headers = {}) => ({
    status,
    body: { statusCode: status, name, message },
    headers,
  })
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]
  if (!token) return error(401, "missing_api_key", "Missing API key in the authorization header.")
  const account = accounts.get(token)
  if (!account) return error(403, "invalid_api_key", "API key is invalid.")
  if (isTooFast(account))
    return error(429, "rate_limit_exceeded", "Too many requests.", { "retry-after": "1", "ratelimit-remaining": "0" })
  const key = String(request.headers["idempotency-key"] ?? "")
  if (key.length > 256) return error(400, "invalid_idempotency_key", "The key must be between 1-256 chars.")
  const before = account.keys.get(key)
  if (before === text) return { status: 200, body: { id: key } }
  if (before !== undefined)
    return error(409, "invalid_idempotent_request", "Same idempotency key used with a different request payload.")
  const mail = JSON.parse(text)
  const from = addressIn(mail.from)
  if (!from || !ADDRESS.test(from)) return error(422, "validation_error", "Invalid `from` field.")
  if (!mail.to.every((to: string) => ADDRESS.test(to))) return error(422, "validation_error", "Invalid `to` field.")
  if (!from.endsWith(`@${account.domain}`))
    return error(403, "validation_error", `The ${from.split("@")[1]} domain is not verified.`)
  if (account.accepted.length >= account.quota)
    return error(429, "daily_quota_exceeded", "You have reached your daily email sending quota.")
  account.accepted.push({ to: mail.to[0], subject: mail.subject, key })
  if (key) account.keys.set(key, text)
  return { status: 200, body: { id: key } }
}

/** https://postmarkapp.com/developer/api/email-api and messages-api */
function postmark(request: IncomingMessage, url: URL, text: string): Answer {
  const error = (status: number, ErrorCode: number, Message: string, headers = {}) => ({
    status,
    body: { ErrorCode, Message },
    headers,
  })
  const account = accounts.get(String(request.headers["x-postmark-server-token"] ?? ""))
  if (!account) return error(401, 10, "Request does not contain a valid Server token.")
  if (isTooFast(account)) return error(429, 429, "Rate limit exceeded.", { "retry-after": "1" })
  if (request.method === "GET") {
    const found = account.accepted.filter(({ key }) => key === url.searchParams.get("metadata_mail"))
    return { status: 200, body: { TotalCount: found.length, Messages: [] } }
  }
  const mail = JSON.parse(text)
  const from = addressIn(mail.From)
  if (!from || !ADDRESS.test(from)) return error(422, 300, `Invalid 'From' address: '${mail.From}'.`)
  if (!ADDRESS.test(mail.To)) return error(422, 300, `Invalid 'To' address: '${mail.To}'.`)
  if (!from.endsWith(`@${account.domain}`)) return error(422, 400, "The 'From' address is not a Sender Signature.")
  if (account.suppressed.includes(mail.To)) return error(422, 406, "You tried to send to an inactive recipient.")
  if (account.accepted.length >= account.quota) return error(422, 405, "Your account has run out of credits.")
  account.accepted.push({ to: mail.To, subject: mail.Subject, key: mail.Metadata.mail, stream: mail.MessageStream })
  return { status: 200, body: { ErrorCode: 0, Message: "OK", To: mail.To, MessageID: mail.Metadata.mail } }
}

function answer(request: IncomingMessage, response: ServerResponse, text: string) {
  const url = new URL(request.url ?? "/", "http://stand-in")
  const send = ({ status, body, headers }: Answer) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify(body))
  }
  const [, family = "", name = ""] = url.pathname.split("/")
  if (family === "accounts") {
    const { keys: _, calls: __, ...known } = accounts.get(name) ?? newAccount()
    if (request.method === "GET") return send({ status: 200, body: known })
    const before = accounts.get(name) ?? newAccount()
    accounts.set(name, { ...before, ...JSON.parse(text) })
    return send({ status: 200, body: {} })
  }
  const token = request.headers.authorization?.replace("Bearer ", "") ?? request.headers["x-postmark-server-token"]
  const fault = accounts.get(String(token))?.faults.shift()
  if (fault === "lost before") return response.destroy()
  if (fault === "500" || fault === "503")
    return family === "resend"
      ? send({ status: Number(fault), body: { statusCode: Number(fault), name: "application_error", message: "Oh." } })
      : send({ status: Number(fault), body: { ErrorCode: fault === "503" ? 100 : 0, Message: "Oh." } })
  if (fault === "html 403") {
    response.writeHead(403, { "content-type": "text/html" })
    return response.end("<html><h1>403 Forbidden</h1></html>")
  }
  const made = family === "resend" ? resend(request, text) : postmark(request, url, text)
  if (fault === "lost after") return response.destroy()
  if (fault !== "silent") send(made)
}

const newAccount = (): Kept => ({
  quota: 1e9,
  perSecond: 1e9,
  domain: "lectern.example",
  suppressed: [],
  faults: [],
  accepted: [],
  calls: [],
  keys: new Map(),
})

export default async function setup(project: TestProject) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => answer(request, response, Buffer.concat(parts).toString()))
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  project.provide("mailApis", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () => void server.close().closeAllConnections()
}

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the stand-ins for mail providers. */
    mailApis: string
  }
}
