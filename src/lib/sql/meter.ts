import type { Bindings } from "../../bindings.ts"

/** What a request, or a batch of messages, has asked of the bindings so far. */
export interface Meter {
  /** Round trips; rows that D1 read and wrote, index entries and trigger work included; its own milliseconds. */
  d1: { trips: number; read: number; written: number; milliseconds: number }
  /** Calls of Durable Objects, and rows that they wrote into their storage meanwhile. */
  do: { calls: number; written: number }
  /** Messages sent. */
  queue: { messages: number }
  /** Operations of R2 by class: a writes and lists, b reads; deleting is free. */
  r2: { a: number; b: number }
  /** Each trip's statements; undefined unless they are recorded. */
  statements: { sql: string; params: unknown[] }[][] | undefined
}

const meters = new WeakMap<Bindings, Meter>()

/** The meter of a request's bindings; undefined in production, where nothing is metered. */
export const meterOf = (env: Bindings): Meter | undefined => meters.get(env)

/** Rows that Durable Objects wrote, by their id: they run in the isolate of the development server's Worker. */
const objectRows = new Map<string, number>()

/** Counts a row that a Durable Object writes, or an alarm that it sets, where anybody meters it. */
export function countObjectRow(env: Bindings, id: DurableObjectId) {
  if (env.ENVIRONMENT === "development") objectRows.set(id.toString(), rowsOf(id) + 1)
}
const rowsOf = (id: DurableObjectId) => objectRows.get(id.toString()) ?? 0

/** In development, bindings that count what is asked of them (`meterOf`); elsewhere those that are given. */
export function metered(env: Bindings): Bindings {
  if (env.ENVIRONMENT !== "development") return env
  const meter: Meter = {
    d1: { trips: 0, read: 0, written: 0, milliseconds: 0 },
    do: { calls: 0, written: 0 },
    queue: { messages: 0 },
    r2: { a: 0, b: 0 },
    statements: env.METER === "statements" ? [] : undefined,
  }
  const counted: Bindings = {
    ...env,
    DB: database(env.DB, meter),
    CLIENTS: objects(env.CLIENTS, meter),
    FILES: bucket(env.FILES, meter),
    EXPORTS: queue(env.EXPORTS, meter),
    UPLOADS: queue(env.UPLOADS, meter),
    MAIL: queue(env.MAIL, meter),
    WEBHOOKS: queue(env.WEBHOOKS, meter),
  }
  meters.set(counted, meter)
  return counted
}

/** The meter as `Server-Timing` has it. */
export const serverTiming = ({ d1, do: objects, queue, r2 }: Meter): string =>
  [
    `d1;desc="trips=${d1.trips} read=${d1.read} written=${d1.written}";dur=${Number(d1.milliseconds.toFixed(3))}`,
    `do;desc="calls=${objects.calls} written=${objects.written}"`,
    `queue;desc="messages=${queue.messages}"`,
    `r2;desc="a=${r2.a} b=${r2.b}"`,
  ].join(", ")

/** Logs what was metered as a line of JSON, where `METER` asks for it (`npm start -- --var METER:log`). */
export function tellMeter(env: Bindings, event: string, about: object) {
  const meter = env.METER ? meterOf(env) : undefined
  if (!meter) return
  const { d1, do: objects, queue, r2, statements } = meter
  console.info(JSON.stringify({ event, ...about, d1, do: objects, queue, r2, ...(statements && { statements }) }))
}

type Method = (...given: unknown[]) => unknown

/** The binding with some of its methods in another way. `make` answers undefined for those that stay. */
function wrapped<T extends object>(binding: T, make: (name: string, call: Method) => Method | undefined): T {
  return new Proxy(binding, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof name !== "string" || typeof found !== "function") return found
      // Called as a member: of a stub, `apply` would be a remote method of that name.
      const call: Method = (...given) => (target as Record<string, Method>)[name]?.(...given)
      return make(name, call) ?? call
    },
  })
}

const database = (binding: D1Database, { d1, statements }: Meter) =>
  wrapped(binding, (name, open) =>
    name === "withSession" ? (constraint) => session(open(constraint) as D1DatabaseSession, d1, statements) : undefined,
  )

function session(of: D1DatabaseSession, d1: Meter["d1"], recorded: Meter["statements"]) {
  const texts = new WeakMap<object, { sql: string; params: unknown[] }>()
  return wrapped(of, (name, call) => {
    if (name === "prepare" && recorded)
      return (sql) => {
        const statement = call(sql) as D1PreparedStatement
        texts.set(statement, { sql: String(sql), params: [] })
        const bind = statement.bind.bind(statement)
        return Object.assign(statement, {
          bind: (...params: unknown[]) => {
            const bound = bind(...params)
            texts.set(bound, { sql: String(sql), params })
            return bound
          },
        })
      }
    if (name !== "batch") return undefined
    return async (given) => {
      const asked = given as D1PreparedStatement[]
      recorded?.push(asked.map((statement) => texts.get(statement) ?? { sql: "", params: [] }))
      const results = (await call(asked)) as D1Result[]
      d1.trips++
      for (const { meta } of results) {
        d1.read += meta.rows_read
        d1.written += meta.rows_written
        d1.milliseconds += meta.duration
      }
      return results
    }
  })
}

const objects = (binding: Bindings["CLIENTS"], meter: Meter) =>
  wrapped(binding, (name, get) =>
    name === "get"
      ? (id) =>
          wrapped(get(id) as object, (_, call) => async (...given) => {
            const before = rowsOf(id as DurableObjectId)
            meter.do.calls++
            const answer = await call(...given)
            meter.do.written += rowsOf(id as DurableObjectId) - before
            return answer
          })
      : undefined,
  )

function queue(binding: Queue, { queue }: Meter) {
  return wrapped(binding, (name, call) => {
    if (name !== "send" && name !== "sendBatch") return undefined
    return (messages, options) => {
      queue.messages += name === "send" ? 1 : Array.from(messages as Iterable<unknown>).length
      return call(messages, options)
    }
  })
}

/** What each operation of a bucket, or of an upload in parts, is billed as. */
const CLASSES: Record<string, "a" | "b"> = {
  put: "a",
  list: "a",
  createMultipartUpload: "a",
  uploadPart: "a",
  complete: "a",
  get: "b",
  head: "b",
}

const bucket = (binding: R2Bucket, { r2 }: Meter): R2Bucket => {
  const operations = <T extends object>(of: T): T =>
    wrapped(of, (name, call) => (...given) => {
      const billed = CLASSES[name]
      if (billed) r2[billed]++
      const answer = call(...given)
      if (name === "createMultipartUpload") return (answer as Promise<R2MultipartUpload>).then(operations)
      return name === "resumeMultipartUpload" ? operations(answer as R2MultipartUpload) : answer
    })
  return operations(binding)
}
