// Webhook delivery of a service that is killed repeatedly.
import { setTimeout as sleep } from "node:timers/promises"
import { PASSWORD } from "../../../scripts/lib/client.ts"
import { type Json, RetryingClient } from "../../../scripts/lib/patient-client.ts"
import { freePort } from "../../../scripts/lib/ports.ts"
import { query } from "../../../scripts/lib/request.ts"
import { type Service, startService, toVarFlags } from "../../../scripts/lib/service.ts"
import { expect, testWithoutService as test } from "../fixtures.ts"
import { HOSTS, type Receiver, ReceiverServer } from "../support/webhook-receivers.ts"

const EVENTS = Number(process.env.EVENTS || 1000)
const KILLS = Number(process.env.KILLS || 20)
/** Calls that run at once. */
const LANES = 4
const USERS = 50
const MINUTE = 60_000
const POLL = { timeout: 3 * MINUTE, intervals: [50] }
/** After so many failures in a row a webhook pauses. */
const FAILURES_BEFORE_PAUSE = 5
const PRIVATE_URLS = [
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

interface Event extends Json {
  id: string
  type: string
  occurredAt: string
}

interface Delivery {
  eventId: string
  type: string
  status: string
  attempts: number
  answerStatus: number | null
  error: string
}

interface Hook {
  id: number
  secret: string
  receiver: Receiver
}

const sorted = (values: Iterable<string>) => [...values].toSorted()
const enrollmentOf = ({ data }: Event) => {
  const { user, course } = data as { user: { id: number }; course: { id: number } }
  return `${user.id} in ${course.id}`
}

/** A service and its owner's client. */
class Webhooks {
  readonly receivers: ReceiverServer
  readonly client: RetryingClient
  private readonly folder: string
  private readonly port: number
  private service: Service | undefined
  private moduleId: unknown
  users: number[] = []

  constructor(receivers: ReceiverServer, folder: string, port: number) {
    this.receivers = receivers
    this.folder = folder
    this.port = port
    this.client = new RetryingClient(`http://localhost:${port}`)
  }

  async start(vars: Record<string, string>) {
    const flags = toVarFlags({ RATE_LIMIT: "1000000", ...vars })
    this.service = await startService(this.folder, flags, { port: this.port })
  }

  async prepare() {
    await this.client.signIn("owner@example.com", PASSWORD)
    const list = `/api/users/tabularlist${query({ page_size: USERS, page_number: 1 })}`
    const { records } = await this.client.send<{ records: { id: number }[] }>("GET", list)
    this.users = records.map(({ id }) => id)
    this.moduleId = (await this.post("/api/modules/text", { name: "A page", content: "<p>Read me.</p>" })).id
  }

  post = <T = Json>(path: string, body: Json) => this.client.send<T>("POST", path, body)

  async restart(vars: Record<string, string>) {
    this.client.up = (this.service?.kill() ?? Promise.resolve()).then(() => this.start(vars))
    await this.client.up
  }

  /** Runs what the cron does. */
  cron = async () => this.service?.cron()

  stop = async () => this.service?.stop()

  async createCourse(name: string) {
    const course = { name, status: "publish", modules: [{ module_id: this.moduleId }] }
    return (await this.post<{ id: number }>("/api/course/create", course)).id
  }

  async enroll(course: number, user: number) {
    const answer = await this.post("/api/course/enroll", { course_ids: [course], user_ids: [user] })
    expect(answer.enrolled).toBe(1)
  }

  /** Enrolls users in a new course, by one call each. */
  async enrollMany(name: string, count: number) {
    const course = await this.createCourse(name)
    for (const user of this.users.slice(0, count)) await this.enroll(course, user)
  }

  /** Creates a webhook for a new receiver. The default event does not occur here: only test events reach it. */
  async create(name: string, events: string[] = ["announcement.created"]): Promise<Hook> {
    const receiver = this.receivers.add(name)
    const url = `${this.receivers.url}/${name}`
    const created = await this.post<{ id: number; secret: string }>("/api/webhook/create", { url, events })
    receiver.secrets = [created.secret]
    return { ...created, receiver }
  }

  async deliveries(id: number): Promise<Delivery[]> {
    const path = `/api/webhook/${id}/deliveries?page_size=500`
    return (await this.client.send<{ deliveries: Delivery[] }>("GET", path)).deliveries
  }

  /** Sends a test event. @returns its delivery after the first attempt */
  async sendTest(id: number): Promise<Delivery> {
    await this.post("/api/webhook/test", { id })
    let delivery: Delivery | undefined
    await expect
      .poll(async () => {
        delivery = (await this.deliveries(id)).find(({ type, attempts }) => type === "webhook.test" && attempts > 0)
        return delivery
      }, POLL)
      .toBeDefined()
    return delivery as Delivery
  }

  /** The events of the feed from a cursor to its end. */
  async feed(after?: string): Promise<{ events: Event[]; cursor: string }> {
    const events: Event[] = []
    for (let cursor = after; ; ) {
      const path = `/api/events${query({ page_size: 200, ...(cursor && { after: cursor }) })}`
      const page = await this.client.send<{ events: Event[]; cursor: string }>("GET", path)
      events.push(...page.events)
      if (page.cursor === cursor) return { events, cursor }
      cursor = page.cursor
    }
  }
}

test("webhooks deliver every event, signed and in order, while the service is killed", async ({ folder }) => {
  test.setTimeout(30 * MINUTE)
  const receivers = await new ReceiverServer().start()
  const hooks = new Webhooks(receivers, folder, await freePort())
  await hooks.start({ OUTBOUND_PRIVATE: "allow" })
  await hooks.prepare()
  const main = await hooks.create("main", ["enrollment.created"])
  const { deliveries } = main.receiver
  const since = new Date().toISOString()
  const { cursor } = await hooks.feed()

  const pairs: { course: number; user: number }[] = []
  while (pairs.length < EVENTS) {
    const course = await hooks.createCourse(`Killed ${pairs.length}`)
    pairs.push(...hooks.users.slice(0, EVENTS - pairs.length).map((user) => ({ course, user })))
  }
  const lanes = Array.from({ length: LANES }, (_, lane) => pairs.filter((_, at) => at % LANES === lane))

  await test.step("enrolls users while the service is killed", async () => {
    let enrolled = 0
    let quota = 0
    const enrolling = Promise.all(
      lanes.map(async (lane) => {
        for (const { course, user } of lane) {
          while (enrolled >= quota) await sleep(20)
          await hooks.enroll(course, user)
          enrolled++
        }
      }),
    )
    for (let round = 0; round < KILLS; round++) {
      quota = Math.ceil(((round + 1) * EVENTS) / KILLS)
      const moment = Math.floor(((round + Math.random()) * EVENTS) / KILLS)
      while (enrolled < moment) await sleep(20)
      await sleep(Math.random() * 500)
      await hooks.restart({ OUTBOUND_PRIVATE: "allow" })
      // A killed consumer keeps its lease for 30 more seconds, unless a redelivery is requested. After the last kill
      // none is: the lease must expire, and the cron must find the webhook.
      const now = new Date().toISOString()
      if (round < KILLS - 1) await hooks.post("/api/webhook/redeliver", { id: main.id, since: now })
    }
    quota = EVENTS
    await enrolling
    await expect(async () => {
      await hooks.cron()
      expect(deliveries.size).toBe(EVENTS)
    }).toPass({ timeout: 3 * MINUTE, intervals: [1000] })
  })

  const all = (await hooks.feed(cursor)).events
  const events = all.filter(({ type }) => type === "enrollment.created")

  await test.step("the feed has every event once, in order", async () => {
    expect(sorted(events.map(enrollmentOf))).toEqual(sorted(pairs.map(({ course, user }) => `${user} in ${course}`)))
    const positions = all.map(({ id }) => Number(id.split("_")[1]))
    expect(positions).toEqual(positions.map((_, at) => (positions[0] ?? 0) + at))
    const times = all.map(({ occurredAt }) => occurredAt)
    expect(times).toEqual(times.toSorted())
    const indexes = new Map(events.map((event, at) => [enrollmentOf(event), at]))
    for (const lane of lanes) {
      const order = lane.map(({ course, user }) => indexes.get(`${user} in ${course}`) ?? -1)
      expect(order, "calls that followed each other").toEqual(order.toSorted((a, b) => a - b))
    }
  })

  await test.step("every event is delivered with one body, signed, in the order of the feed", async () => {
    expect([...deliveries.keys()]).toEqual(events.map(({ id }) => id))
    expect([...deliveries.values()].map(({ body }) => JSON.parse(body))).toEqual(events)
    expect(main.receiver).toMatchObject({ changedBodies: 0, invalidSignatures: 0 })
  })

  await test.step("a failing webhook is paused, and receives every event after it recovers", async () => {
    const { id, receiver } = await hooks.create("flaky", ["enrollment.created"])
    receiver.accepts = false
    receiver.respond = (response) => response.writeHead(500).end("Out of order")
    await hooks.enrollMany("Failed", 12)
    await expect.poll(() => receiver.refused, POLL).toBe(FAILURES_BEFORE_PAUSE)
    // No further attempt follows.
    await sleep(3000)
    expect(receiver.refused).toBe(FAILURES_BEFORE_PAUSE)
    receiver.accepts = true
    receiver.respond = (response) => response.writeHead(204).end()
    await hooks.post("/api/webhook/test", { id })
    await expect.poll(() => receiver.deliveries.size, POLL).toBe(13)
    expect(receiver.invalidSignatures).toBe(0)
    const pending = async () => (await hooks.deliveries(id)).filter(({ status }) => status !== "delivered")
    await expect.poll(pending, POLL).toEqual([])
    await hooks.client.send("PUT", `/api/webhook/${id}`, { enabled: false })
  })

  await test.step("a slow receiver times out without delaying other webhooks", async () => {
    const { id, receiver } = await hooks.create("slow")
    receiver.respond = (response) => {
      const late = setTimeout(() => response.writeHead(204).end(), 20_000)
      response.once("close", () => clearTimeout(late))
    }
    const slowTest = hooks.sendTest(id)
    await expect.poll(() => receiver.deliveries.size, POLL).toBeGreaterThan(0)
    const before = deliveries.size
    await hooks.enrollMany("Meanwhile", 10)
    await expect.poll(() => deliveries.size, POLL).toBe(before + 10)
    expect(await slowTest).toMatchObject({ status: "waiting", error: "No response within 15 seconds." })
  })

  await test.step("a redirect is not followed and counts as a failure", async () => {
    const target = receivers.add("target")
    const { id, receiver } = await hooks.create("redirecting")
    receiver.respond = (response) => response.writeHead(307, { location: `${receivers.url}/target` }).end()
    expect(await hooks.sendTest(id)).toMatchObject({ status: "waiting", answerStatus: 307 })
    expect(target.deliveries.size).toBe(0)
  })

  await test.step("redelivers events by ID and since a time, with the same bodies", async () => {
    /** @returns a function with the ids of the events that came again since this call */
    const watch = () => {
      const counts = new Map([...deliveries].map(([id, { count }]) => [id, count]))
      return () => [...deliveries].filter(([id, { count }]) => count > (counts.get(id) ?? 0)).map(([id]) => id)
    }
    const some = events.slice(0, 5).map(({ id }) => id)
    const againById = watch()
    await hooks.post("/api/webhook/redeliver", { id: main.id, event_ids: some })
    await expect.poll(() => againById().length, POLL).toBe(some.length)
    // No further event follows.
    await sleep(1000)
    expect(sorted(againById())).toEqual(sorted(some))
    const againByTime = watch()
    await hooks.post("/api/webhook/redeliver", { id: main.id, since })
    await expect.poll(() => againByTime().length, POLL).toBe(deliveries.size)
    expect(main.receiver.changedBodies).toBe(0)
  })

  await test.step("after a secret rotation, a call is signed with both secrets", async () => {
    const { secret } = await hooks.post<{ secret: string }>("/api/webhook/rotate", { id: main.id })
    main.receiver.secrets = [main.secret, secret]
    expect(await hooks.sendTest(main.id)).toMatchObject({ status: "delivered" })
    expect(main.receiver).toMatchObject({ signaturesOfLast: 2, invalidSignatures: 0 })
  })

  await test.step("private addresses are rejected, and hosts that resolve to them are not called", async () => {
    await hooks.restart({ DNS_RESOLVER: `${receivers.url}/dns-query` })
    for (const url of PRIVATE_URLS) {
      const { status } = await hooks.client.request("POST", "/api/webhook/create", { url, events: ["user.created"] })
      expect(status, url).toBe(422)
    }
    for (const host of Object.keys(HOSTS)) {
      const webhook = { url: `https://${host}/`, events: ["announcement.created"] }
      const { id } = await hooks.post<{ id: number }>("/api/webhook/create", webhook)
      const error = "The host has no public address."
      expect(await hooks.sendTest(id), host).toMatchObject({ status: "waiting", error })
    }
  })

  await hooks.stop()
  receivers.stop()
})
