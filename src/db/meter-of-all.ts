import type { Bindings } from "../env.ts"
import { addRoundTrip, type Meter, objectRowCount } from "./meter.ts"

// Counts the use of all bindings. Loaded in development only.

/** Bindings that count every call. */
export const meterBindings = (env: Bindings, meter: Meter): Bindings => ({
  ...env,
  DB: database(env.DB, meter),
  CLIENTS: objects(env.CLIENTS, meter),
  FILES: bucket(env.FILES, meter),
  EXPORTS: queue(env.EXPORTS, meter),
  UPLOADS: queue(env.UPLOADS, meter),
  ERASURES: queue(env.ERASURES, meter),
  JOBS: queue(env.JOBS, meter),
  MAIL: queue(env.MAIL, meter),
  WEBHOOKS: objects(env.WEBHOOKS, meter),
})

type Method = (...args: unknown[]) => unknown

/** Wraps methods of a binding. `make` returns undefined for methods that stay as they are. */
function wrapped<T extends object>(binding: T, make: (name: string, call: Method) => Method | undefined): T {
  return new Proxy(binding, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof name !== "string" || typeof found !== "function") return found
      // Called as a member, because `apply` on a stub would call a remote method of that name.
      const call: Method = (...args) => (target as Record<string, Method>)[name]?.(...args)
      return make(name, call) ?? call
    },
  })
}

const database = (binding: D1Database, meter: Meter) =>
  wrapped(binding, (name, open) =>
    name === "withSession" ? (constraint) => session(open(constraint) as D1DatabaseSession, meter) : undefined,
  )

function session(of: D1DatabaseSession, meter: Meter) {
  const { statements: recorded } = meter
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
    return async (args) => {
      const statements = args as D1PreparedStatement[]
      recorded?.push(statements.map((statement) => texts.get(statement) ?? { sql: "", params: [] }))
      const results = (await call(statements)) as D1Result[]
      addRoundTrip(meter, results)
      return results
    }
  })
}

const objects = <T extends Bindings["CLIENTS"] | Bindings["WEBHOOKS"]>(binding: T, meter: Meter): T =>
  wrapped(binding, (name, get) =>
    name === "get"
      ? (id) =>
          wrapped(get(id) as object, (_, call) => async (...args) => {
            const before = objectRowCount(id as DurableObjectId)
            meter.do.calls++
            const result = await call(...args)
            meter.do.written += objectRowCount(id as DurableObjectId) - before
            return result
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

/** The billing class of each R2 operation. */
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
    wrapped(of, (name, call) => (...args) => {
      const billed = CLASSES[name]
      if (billed) r2[billed]++
      const result = call(...args)
      if (name === "createMultipartUpload") return (result as Promise<R2MultipartUpload>).then(operations)
      return name === "resumeMultipartUpload" ? operations(result as R2MultipartUpload) : result
    })
  return operations(binding)
}
