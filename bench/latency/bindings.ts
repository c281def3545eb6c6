// Bindings with the latency of Cloudflare: each call waits for the round trip between two regions.
import type { Bindings } from "../../src/env.ts"
import { nearestData, PRIMARY_REGION, type Region, roundTrip } from "./round-trips.ts"

/** A round trip of a request. Times are milliseconds since the request began. */
export interface Hop {
  what: string
  from: Region
  to: Region
  start: number
  end: number
}

/** Where a part of the service runs, and what it records. */
interface Place {
  at: Region
  client: Region
  hops: Hop[]
  since: number
}

async function travel<T>({ at: from, hops, since }: Place, what: string, to: Region, call: () => Promise<T>) {
  const hop = { what, from, to, start: Date.now() - since, end: 0 }
  hops.push(hop)
  const oneWay = roundTrip(from, to) / 2
  await scheduler.wait(oneWay)
  try {
    return await call()
  } finally {
    await scheduler.wait(oneWay)
    hop.end = Date.now() - since
  }
}

type Method = (...args: unknown[]) => Promise<unknown>

/** The methods of a binding with a round trip. Others stay as they are. */
function remote<T extends object>(binding: T, place: Place, what: string, to: Region, methods?: string[]): T {
  return new Proxy(binding, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof name !== "string" || typeof found !== "function") return found
      const call: Method = (...args) => (target as Record<string, Method>)[name]?.(...args) as Promise<unknown>
      if (methods && !methods.includes(name)) return call
      return (...args: unknown[]) => travel(place, `${what} ${name}`, to, () => call(...args))
    },
  })
}

/** A session reads at the nearest replica unless it must start at the primary; the primary writes. */
function database(binding: D1Database, place: Place): D1Database {
  const withSession = (constraint?: string) => {
    const session = binding.withSession(constraint)
    let atPrimary = constraint === "first-primary"
    let writes = false
    return {
      prepare: (query: string) => {
        writes ||= /\b(insert into|update|delete from)\b/i.test(query)
        return session.prepare(query)
      },
      batch: (statements: D1PreparedStatement[]) => {
        const to = atPrimary || writes ? PRIMARY_REGION : nearestData(place.at)
        const what = writes ? "D1 write" : "D1 read"
        atPrimary = false
        writes = false
        return travel(place, what, to, () => session.batch(statements))
      },
      getBookmark: () => session.getBookmark(),
    }
  }
  // openDatabase uses nothing else of the binding.
  return { withSession } as unknown as D1Database
}

/** Durable Objects with names of these kinds are first called by the edge: they are near the client. */
const NEAR_CLIENT = /^(user|key|ip|refused|account):/

function objects<T extends Bindings["CLIENTS"] | Bindings["WEBHOOKS"]>(binding: T, place: Place, what: string) {
  return new Proxy(binding, {
    get(target, name) {
      if (name !== "get") return (target as unknown as Record<string | symbol, Method>)[name]?.bind(target)
      return (id: DurableObjectId) => {
        const near = NEAR_CLIENT.test(id.name ?? "") ? nearestData(place.client) : nearestData(place.at)
        return remote(target.get(id) as object, place, what, near)
      }
    },
  })
}

/** The bindings of a request. Queues and files are near the database. */
export function delayedBindings(env: Bindings, place: Place): Bindings {
  const queue = (binding: Queue) => remote(binding, place, "queue", PRIMARY_REGION, ["send", "sendBatch"])
  return {
    ...env,
    ...(env.PRIMARY && { PRIMARY: remote(env.PRIMARY, place, "primary", PRIMARY_REGION, ["fetch"]) }),
    DB: database(env.DB, place),
    CLIENTS: objects(env.CLIENTS, place, "object"),
    WEBHOOKS: objects(env.WEBHOOKS, place, "webhook"),
    FILES: remote(env.FILES, place, "R2", PRIMARY_REGION, ["get", "head", "put", "list", "delete"]),
    EXPORTS: queue(env.EXPORTS),
    UPLOADS: queue(env.UPLOADS),
    ERASURES: queue(env.ERASURES),
    JOBS: queue(env.JOBS),
    MAIL: queue(env.MAIL),
  }
}
