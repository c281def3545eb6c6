// Shows what webhooks promise, against a service of its own that is killed again and again: every event in the feed
// once and in order, every event delivered under its own id, signed; receivers that fail, are slow, redirect or lie in
// a private network; events sent again, and secrets rotated. Not part of the tests: it takes minutes.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { Webhook } from "standardwebhooks"
import { PASSWORD } from "./lib/client.ts"
import { count, fail, flags } from "./lib/flags.ts"
import { type Json, PatientClient } from "./lib/patient-client.ts"
import { freePort } from "./lib/ports.ts"
import { query } from "./lib/request.ts"
import { asFlags, startService } from "./lib/servers.ts"

const values = flags(
  "npm run check:webhooks",
  "Makes events while the service is killed and started again, and holds what receivers were sent against the feed.",
  {
    events: { type: "string", value: "n", default: "1000", about: "how many events are made" },
    kills: { type: "string", value: "n", default: "20", about: "how often the service is killed meanwhile" },
    port: { type: "string", default: "0", about: "where the service listens; 0: any port that is free" },
    receiver: { type: "string", value: "port", default: "0", about: "where receivers listen; 0: any that is free" },
  },
)
const EVENTS = count("events", values.events, 50)
const KILLS = count("kills", values.kills, 0)
/** Calls that are under way at once. */
const LANES = 4
const USERS = 50
const MINUTE = 60_000
const LATE_MESSAGE = "No answer within 15 seconds."

interface Told extends Json {
  id: string
  occurredAt: string
}

const failures: string[] = []
const shown = (line: string) => console.info(`${new Date().toISOString().slice(11, 19)}  ${line}`)
function expectSame(what: string, actual: unknown, expected: unknown) {
  if (isDeepStrictEqual(actual, expected)) return
  failures.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
  console.error(`FAILED  ${failures.at(-1)}`)
}

/** Waits for a condition. @returns the milliseconds that it took; undefined: it did not come about in time */
async function until(condition: () => boolean | Promise<boolean>, within = 3 * MINUTE): Promise<number | undefined> {
  const began = Date.now()
  while (Date.now() - began < within) {
    if (await condition()) return Date.now() - began
    await sleep(50)
  }
  return undefined
}
const seconds = (milliseconds = Number.NaN) => `${(milliseconds / 1000).toFixed(1)} s`

// The receivers: each has a path.

interface Call {
  times: number
  body: string
  at: number
}

class Receiver {
  readonly calls = new Map<string, Call>()
  /** Requests whose signature did not hold under one of these, by the package `standardwebhooks`. */
  secrets: string[] = []
  unsigned = 0
  /** Requests under an id that had come with another body. */
  changed = 0
  refused = 0
  lastSignatures = 0
  answer: (response: ServerResponse) => void = (response) => response.writeHead(204).end()
  /** What it does not accept is not counted as received. */
  accepts = true

  take(request: IncomingMessage, body: string) {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const id = headers["webhook-id"] ?? ""
    this.lastSignatures = (headers["webhook-signature"] ?? "").split(" ").length
    for (const secret of this.secrets)
      try {
        new Webhook(secret).verify(body, headers)
      } catch {
        this.unsigned++
      }
    if (!this.accepts) {
      this.refused++
      return
    }
    const call = this.calls.get(id)
    if (call && call.body !== body) this.changed++
    this.calls.set(id, { times: (call?.times ?? 0) + 1, body, at: call?.at ?? Date.now() })
  }
}

const receivers = new Map<string, Receiver>()
/** What the resolver answers, by name and type. */
const names: Record<string, Record<string, string>> = {
  "inside.example.org": { A: "10.0.0.7" },
  "loop.example.org": { A: "127.0.0.1" },
  "six.example.org": { AAAA: "fd00::1" },
  "nowhere.example.org": {},
}
const TYPES: Record<string, number> = { A: 1, AAAA: 28 }

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", "http://receiver")
  if (url.pathname === "/dns-query") {
    const type = url.searchParams.get("type") ?? ""
    const data = names[url.searchParams.get("name") ?? ""]?.[type]
    response.setHeader("content-type", "application/dns-json")
    response.end(JSON.stringify({ Status: 0, Answer: data ? [{ type: TYPES[type], data }] : [] }))
    return
  }
  // A service that is killed leaves half a request.
  const body = await text(request).catch(() => undefined)
  const receiver = receivers.get(url.pathname.slice(1))
  if (body === undefined || !receiver) {
    response.writeHead(404).end()
    return
  }
  receiver.take(request, body)
  receiver.answer(response)
})
await new Promise<void>((resolve) => server.listen(Number(values.receiver), "127.0.0.1", resolve))
const address = server.address()
const RECEIVERS = `http://127.0.0.1:${typeof address === "object" ? address?.port : values.receiver}`

// The service.

const folder = mkdtempSync(join(tmpdir(), "lectern-webhooks-"))
const port = Number(values.port) || (await freePort())
const BASE = `http://localhost:${port}`
const begin = (vars: Record<string, string>) =>
  startService(folder, asFlags({ RATE_LIMIT: "1000000", ...vars }), { port })
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

// The client: a call that is cut off is repeated.

const client = new PatientClient(BASE)
const { repeated } = client
const send = client.send.bind(client)

/** Kills the service, and starts it again. */
async function restart(vars: Record<string, string>) {
  client.up = service.kill().then(async () => {
    service = await begin(vars)
  })
  await client.up
}

/** A webhook of a receiver of ours; without types of which there are events, only tests reach it. */
async function hook(name: string, events: string[] = ["announcement.created"]) {
  const receiver = new Receiver()
  receivers.set(name, receiver)
  const made = await send<{ id: number; secret: string }>("POST", "/api/webhook/create", {
    url: `${RECEIVERS}/${name}`,
    events,
  })
  receiver.secrets = [made.secret]
  return { ...made, receiver }
}

interface Delivery {
  eventId: string
  type: string
  status: string
  attempts: number
  answerStatus: number | null
  error: string
}
const deliveriesOf = async (id: number) =>
  (await send<{ deliveries: Delivery[] }>("GET", `/api/webhook/${id}/deliveries?page_size=500`)).deliveries

/** Sends a webhook a test event, and waits for what is told of its first attempt. */
async function tested(id: number, within = MINUTE) {
  await send("POST", "/api/webhook/test", { id })
  let told: Delivery | undefined
  const took = await until(async () => {
    told = (await deliveriesOf(id)).find(({ type, attempts }) => type === "webhook.test" && attempts > 0)
    return told !== undefined
  }, within)
  return { told, took }
}

/** The events of the feed from a cursor to its end. */
async function feed(after?: string): Promise<{ events: Told[]; cursor: string }> {
  const events: Told[] = []
  for (let cursor = after; ; ) {
    const page = await send<{ events: Told[]; cursor: string }>(
      "GET",
      `/api/events${query({ page_size: 200, ...(cursor && { after: cursor }) })}`,
    )
    events.push(...page.events)
    if (page.cursor === cursor) return { events, cursor }
    cursor = page.cursor
  }
}
const enrollmentOf = ({ data }: Told) => {
  const { user, course } = data as { user: { id: number }; course: { id: number } }
  return `${user.id} in ${course.id}`
}

shown("Starting a service with the sample academy …")
let service = await begin({ OUTBOUND_PRIVATE: "allow" })
await client.signIn("owner@example.com", PASSWORD)
const { records } = await send<{ records: { id: number }[] }>(
  "GET",
  `/api/users/tabularlist${query({ page_size: USERS, page_number: 1 })}`,
)
const users = records.map(({ id }) => id)
const module = await send("POST", "/api/modules/text", { name: "A page", content: "<p>Read me.</p>" })
const newCourse = async (name: string) =>
  (
    await send<{ id: number }>("POST", "/api/course/create", {
      name,
      status: "publish",
      modules: [{ module_id: module.id }],
    })
  ).id
async function enrolled(course: number, user: number) {
  const answer = await send("POST", "/api/course/enroll", { course_ids: [course], user_ids: [user] })
  if (answer.enrolled !== 1) expectSame(`the enrollment of ${user} in ${course}`, answer, { enrolled: 1 })
}
/** Enrolls as many users in a course of their own, by one call each. */
const enrollMany = async (name: string, most: number) => {
  const course = await newCourse(name)
  for (const user of users.slice(0, most)) await enrolled(course, user)
}
const pairs: { course: number; user: number }[] = []
for (let at = 0; pairs.length < EVENTS; at++) {
  const course = await newCourse(`Killed ${at}`)
  pairs.push(...users.slice(0, EVENTS - pairs.length).map((user) => ({ course, user })))
}

// 1. Events are made and delivered while the service is killed.
const main = await hook("main", ["enrollment.created"])
const { cursor: beginning } = await feed()
const madeSince = new Date().toISOString()
let made = 0
let quota = 0
const lanes = Array.from({ length: LANES }, (_, lane) => pairs.filter((_, at) => at % LANES === lane))
const making = Promise.all(
  lanes.map(async (lane) => {
    for (const { course, user } of lane) {
      while (made >= quota) await sleep(20)
      await enrolled(course, user)
      made++
    }
  }),
)
const receivedAtKills: number[] = []
for (let round = 0; round < KILLS; round++) {
  quota = Math.ceil(((round + 1) * EVENTS) / KILLS)
  const moment = Math.floor(((round + Math.random()) * EVENTS) / KILLS)
  await until(() => made >= moment)
  await sleep(Math.random() * 500)
  receivedAtKills.push(main.receiver.calls.size)
  await restart({ OUTBOUND_PRIVATE: "allow" })
  // A killed consumer holds its webhook for 30 seconds more; being asked for deliveries again ends that at once. After
  // the last kill nothing is asked: the webhook's time has to run out, and the cron to wake it.
  if (round < KILLS - 1) await send("POST", "/api/webhook/redeliver", { id: main.id, since: new Date().toISOString() })
}
quota = EVENTS
await making
const drained = await until(async () => {
  if (main.receiver.calls.size >= EVENTS) return true
  await service.cron()
  await sleep(1000)
  return false
})
const { events: all } = await feed(beginning)
const events = all.filter(({ type }) => type === "enrollment.created")
expectSame("the events of the feed", events.length, EVENTS)
expectSame(
  "what they are of",
  events.map(enrollmentOf).toSorted(),
  pairs.map(({ course, user }) => `${user} in ${course}`).toSorted(),
)
const places = all.map(({ id }) => Number(id.split("_")[1]))
expectSame(
  "the places of the feed",
  places,
  places.map((_, at) => (places[0] ?? 0) + at),
)
const times = all.map(({ occurredAt }) => occurredAt)
expectSame("the times of the feed", times, times.toSorted())
const at = new Map(events.map((event, place) => [enrollmentOf(event), place]))
for (const lane of lanes) {
  const order = lane.map(({ course, user }) => at.get(`${user} in ${course}`) ?? -1)
  expectSame(
    "the order of calls that followed each other",
    order,
    order.toSorted((a, b) => a - b),
  )
}
shown(
  `${EVENTS} events through ${KILLS} kills: the feed has ${events.length}, each once, in order. ` +
    `${repeated.calls} calls were repeated, ${repeated.replays} of them had been done before.`,
)
const { calls } = main.receiver
const bodies = new Map([...calls].map(([id, { body }]) => [id, JSON.parse(body) as Json]))
expectSame("the ids delivered", [...calls.keys()].toSorted(), events.map(({ id }) => id).toSorted())
expectSame(
  "events without their delivery",
  events.filter((event) => !isDeepStrictEqual(bodies.get(event.id), event)),
  [],
)
const inOrder = isDeepStrictEqual(
  [...calls.keys()],
  events.map(({ id }) => id),
)
expectSame("whether first deliveries came in the feed's order", inOrder, true)
expectSame("bodies that changed", main.receiver.changed, 0)
expectSame("signatures that did not hold", main.receiver.unsigned, 0)
const total = [...calls.values()].reduce((sum, { times }) => sum + times, 0)
const twice = [...calls.values()].filter(({ times }) => times > 1).length
shown(
  `${calls.size} of them delivered by ${total} calls (${twice} more than once), each under one id with one body, all ` +
    `signed; the last ${seconds(drained)} after the last was made, its consumer having been killed. ` +
    `Delivered when the kills came: ${receivedAtKills.join(", ")}.`,
)

// 2. A receiver that fails for a while.
const flaky = await hook("flaky", ["enrollment.created"])
flaky.receiver.accepts = false
flaky.receiver.answer = (response) => response.writeHead(500).end("Out of order")
await enrollMany("Failed", 12)
await until(() => flaky.receiver.refused >= 5)
await sleep(3000)
const refused = flaky.receiver.refused
expectSame("attempts before it is left alone", refused, 5)
flaky.receiver.accepts = true
flaky.receiver.answer = (response) => response.writeHead(204).end()
await send("POST", "/api/webhook/test", { id: flaky.id })
const recovered = await until(() => flaky.receiver.calls.size >= 13)
expectSame("what it has once it recovered", flaky.receiver.calls.size, 13)
expectSame("signatures that did not hold there", flaky.receiver.unsigned, 0)
await until(async () => (await deliveriesOf(flaky.id)).every(({ status }) => status === "delivered"), 20_000)
const left = (await deliveriesOf(flaky.id)).filter(({ status }) => status !== "delivered")
expectSame("deliveries that are still to come", left, [])
shown(
  `A receiver that answered 500 to ${refused} attempts, was left alone, and recovered: ` +
    `12 events and a test arrived ${seconds(recovered)} after the test was asked for.`,
)

// 3. A slow receiver, and whether others wait for it.
const quick = async (name: string) => {
  const before = main.receiver.calls.size
  const began = Date.now()
  await enrollMany(name, 10)
  await until(() => main.receiver.calls.size >= before + 10, MINUTE)
  expectSame(`the events delivered to the other (${name})`, main.receiver.calls.size, before + 10)
  const last = Math.max(...[...main.receiver.calls.values()].map((call) => call.at))
  return last - began
}
const alone = await quick("Alone")
await send("PUT", `/api/webhook/${flaky.id}`, { enabled: false })
const slow = await hook("slow")
slow.receiver.answer = (response) => {
  const late = setTimeout(() => response.writeHead(204).end(), 20_000)
  response.once("close", () => clearTimeout(late))
}
const slowTest = tested(slow.id)
await until(() => slow.receiver.calls.size > 0)
const beside = await quick("Beside")
const { told: late, took: lateAfter } = await slowTest
expectSame("what is told of the slow receiver", [late?.status, late?.error], ["waiting", LATE_MESSAGE])
shown(
  `A receiver that takes 20 s is told of as "${late?.error}" after ${seconds(lateAfter)}. ` +
    `Meanwhile ten enrollments were made and delivered to another in ${seconds(beside)} ` +
    `(${seconds(alone)} without the slow one). ` +
    (beside > alone + 5000 ? "`wrangler dev` works on one message of a queue at a time: the other waited." : ""),
)

// 4. A receiver that redirects.
const target = new Receiver()
receivers.set("target", target)
const redirecting = await hook("redirecting")
redirecting.receiver.answer = (response) => response.writeHead(307, { location: `${RECEIVERS}/target` }).end()
const { told: redirect } = await tested(redirecting.id)
expectSame("what is told of a redirect", [redirect?.status, redirect?.answerStatus], ["waiting", 307])
expectSame("calls at its target", target.calls.size, 0)
shown(`A redirect (${redirect?.answerStatus}) is not followed, and failed.`)

// 5. Events are sent again.
const some = events.slice(0, 5).map(({ id }) => id)
/** The events that came again since now, as a question. */
const repeats = () => {
  const before = new Map([...calls].map(([id, { times }]) => [id, times]))
  return () => [...calls].filter(([id, { times }]) => times > (before.get(id) ?? 0)).map(([id]) => id)
}
const again = repeats()
await send("POST", "/api/webhook/redeliver", { id: main.id, event_ids: some })
await until(() => again().length >= some.length, MINUTE)
await sleep(1000)
expectSame("the events that were asked for again", again().toSorted(), some.toSorted())
const everything = [...calls.keys()]
const since = repeats()
await send("POST", "/api/webhook/redeliver", { id: main.id, since: madeSince })
await until(() => since().length >= everything.length)
expectSame("the events since a time", since(), everything)
expectSame("bodies that changed when sent again", main.receiver.changed, 0)
shown(
  `Sent again: ${some.length} events by their ids, and all ${everything.length} since a time, ` +
    "with the ids and bodies of old.",
)

// 6. The secret is rotated.
const rotated = await send<{ secret: string }>("POST", "/api/webhook/rotate", { id: main.id })
main.receiver.secrets = [main.secret, rotated.secret]
const { told: afterwards } = await tested(main.id)
expectSame("the test after the rotation", afterwards?.status, "delivered")
expectSame("its signatures", main.receiver.lastSignatures, 2)
expectSame("signatures that did not hold, of both secrets", main.receiver.unsigned, 0)
shown("After a rotation the old and the new secret verify the same call.")

// 7. Without OUTBOUND_PRIVATE.
await restart({ DNS_RESOLVER: `${RECEIVERS}/dns-query` })
const REFUSED = [
  "http://hooks.example.org/",
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://10.1.2.3/",
  "https://192.168.0.1/",
  "https://169.254.169.254/",
  "https://[::1]/",
  "https://[fd00::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://localhost/",
]
for (const url of REFUSED) {
  const { status } = await client.ask("POST", "/api/webhook/create", { url, events: ["user.created"] })
  expectSame(`a webhook at ${url}`, status, 422)
}
for (const name of Object.keys(names)) {
  const url = `https://${name}/`
  const { id } = await send<{ id: number }>("POST", "/api/webhook/create", { url, events: ["announcement.created"] })
  const { told } = await tested(id)
  expectSame(`a webhook at ${name}`, [told?.status, told?.error], ["waiting", "The host has no public address."])
}
shown(
  `Without OUTBOUND_PRIVATE ${REFUSED.length} addresses are refused with 422, and ${Object.keys(names).length} names ` +
    "that lead to a private address, or nowhere, are not called.",
)

await service.stop()
server.closeAllConnections()
server.close()
if (failures.length > 0) fail(`${failures.length} failed:\n${failures.join("\n").slice(0, 5000)}`)
process.exit(0)
