import { createClient, createIdempotencyKey, type LecternClient, LecternError, type Schemas } from "lectern-client"

type Progress = Schemas["Progress"]

/** Progress that waits to be sent. */
interface Report {
  /** The same for every attempt, so that the report counts once. */
  key: string
  /** Set before the first attempt. From then on the report must not change. */
  sent: boolean
  body: Progress
}

/** Where the queue is stored. On a phone: storage that survives a restart of the app. */
export interface QueueStorage {
  read(): string | undefined
  write(text: string): void
}

/** Stores a learner's progress while there is no connection, and sends it in order, each report once. */
export class OfflineQueue {
  private readonly client: LecternClient
  private readonly storage: QueueStorage
  private flushing: Promise<LecternError[]> | undefined

  constructor(client: LecternClient, storage: QueueStorage) {
    this.client = client
    this.storage = storage
  }

  private read = (): Report[] => JSON.parse(this.storage.read() ?? "[]")
  private write = (reports: Report[]) => this.storage.write(JSON.stringify(reports))

  /** Adds a heartbeat or a completion. Heartbeats of one module that were not sent yet become one report. */
  add(body: Progress) {
    const reports = this.read()
    const last = reports.at(-1)
    const isSame = last?.body.moduleId === body.moduleId && last?.body.registrationId === body.registrationId
    if (last && isSame && !last.sent && last.body.status !== "Completed")
      last.body = { ...last.body, ...body, timeSpent: (last.body.timeSpent ?? 0) + (body.timeSpent ?? 0) }
    else reports.push({ key: createIdempotencyKey(), sent: false, body })
    this.write(reports)
  }

  /**
   * Sends all reports. Call it when the connection is back.
   * @returns the errors of reports that the service refused, such as a completion before the minimum time
   * @throws LecternError if the connection is lost again: what was not sent stays in the queue
   */
  flush(): Promise<LecternError[]> {
    this.flushing ??= this.sendAll().finally(() => {
      this.flushing = undefined
    })
    return this.flushing
  }

  private async sendAll(): Promise<LecternError[]> {
    const refused: LecternError[] = []
    for (let [next] = this.read(); next; [next] = this.read()) {
      const { key, body } = next
      this.write(this.read().map((report) => (report.key === key ? { ...report, sent: true } : report)))
      try {
        await this.client.POST("/api/module/progress", { body, headers: { "Idempotency-Key": key } })
      } catch (error) {
        if (!(error instanceof LecternError) || !isFinal(error)) throw error
        refused.push(error)
      }
      this.write(this.read().filter((report) => report.key !== key))
    }
    return refused
  }
}

/** Whether sending a report again would fail again. */
const isFinal = ({ status, code }: LecternError) =>
  status >= 400 && status < 500 && status !== 401 && status !== 429 && code !== "conflict"

const client = createClient({ baseUrl: "http://localhost:8787" })
const learner = await client.signIn({ email: "learner@example.com", password: "lectern-demo-1", device: "Phone" })
const enrolled = client.list("/api/users/enrolled-courses", { query: { user_id: learner.id } })
const [enrollment] = await enrolled.toArray(1)
if (!enrollment) throw new Error("The learner has no course.")
const { data: modules } = await client.GET("/api/course/modules", {
  params: { query: { registrationId: enrollment.id } },
})
const module = modules.find(({ is_current }) => is_current)
if (!module) throw new Error("The course is completed.")

const memory = new Map<string, string>()
const queue = new OfflineQueue(client, {
  read: () => memory.get("queue"),
  write: (text) => void memory.set("queue", text),
})

// Without a connection: a heartbeat each 30 seconds, then the end of the module.
const place = { registrationId: enrollment.id, moduleId: module.module_id }
queue.add({ ...place, timeSpent: 30, percentage: 40 })
queue.add({ ...place, timeSpent: 30, percentage: 100, status: "Completed" })

// The connection is back.
const refused = await queue.flush()
console.log(`${module.name}: ${refused.length === 0 ? "completed" : refused.map(({ message }) => message).join(" ")}`)
