import { env } from "cloudflare:workers"

// Runs something while a request waits, by wrapping the bindings.

type Callable = Record<string, (...given: unknown[]) => Promise<unknown>>
type Around = (name: string, call: () => Promise<unknown>) => unknown

/** The object, with its method calls passed through `withMiddleware`. */
function wrapped<T extends object>(of: T, around: Around): T {
  return new Proxy(of, {
    get(target, name) {
      if (typeof name !== "string" || typeof Reflect.get(target, name) !== "function") return Reflect.get(target, name)
      // Called as a member: of a stub, `apply` would be a remote method of that name.
      return (...given: unknown[]) => around(name, async () => (target as unknown as Callable)[name]?.(...given))
    },
  })
}

/** Runs `work` with every batch of D1 and every call of a Durable Object passed through `withMiddleware`. */
async function withBindings<T>(around: Around, work: () => Promise<T>): Promise<T> {
  const { DB, CLIENTS } = env
  const withSession = (constraint?: string) => {
    const session = DB.withSession(constraint)
    return {
      prepare: (query: string) => session.prepare(query),
      batch: (statements: D1PreparedStatement[]) => around("batch", () => session.batch(statements)),
      getBookmark: () => session.getBookmark(),
    }
  }
  const get = (id: DurableObjectId) => wrapped(CLIENTS.get(id), around)
  Object.assign(env, {
    DB: { withSession },
    CLIENTS: { idFromName: (name: string) => CLIENTS.idFromName(name), get },
  })
  try {
    return await work()
  } finally {
    Object.assign(env, { DB, CLIENTS })
  }
}

export interface Delayed<T> {
  answer: T
  /** The number of calls that the request made to D1 and to Durable Objects. */
  calls: number
  /** The number of batches that it had sent to D1 when the other request began. */
  batches: number
}

/** Polls, because a request cannot await a promise of another request. */
async function until(holds: () => boolean) {
  while (!holds()) await scheduler.wait(1)
}

/**
 * Runs a request, and another in the moment before its n-th call of D1 or of a Durable Object (after its answer, when
 * it makes fewer).
 * @param late the other's Durable Objects hear of ended sessions only after the request has its answer
 */
export async function delayed<T>(
  request: () => Promise<T>,
  { before, other, late }: { before: number; other: () => Promise<unknown>; late: boolean },
): Promise<Delayed<T>> {
  let state: "first" | "asked" | "other" | "again" = "first"
  let answered = false
  let [calls, sent, batches] = [0, 0, 0]
  const around: Around = async (name, call) => {
    if (name === "revoke" && late && state === "other") {
      state = "again"
      await until(() => answered)
      return call()
    }
    if (state === "asked" || state === "other") return call()
    if (answered || (state === "again" && name === "revoke")) return call()
    calls++
    if (calls === before && state === "first") {
      state = "asked"
      await until(() => state === "again")
    }
    if (name === "batch") sent++
    return call()
  }
  return withBindings(around, async () => {
    const running = request().finally(() => {
      answered = true
    })
    await Promise.race([until(() => state === "asked" || answered), running])
    batches = sent
    state = "other"
    const ended = other().finally(() => {
      state = "again"
    })
    const [answer] = await Promise.all([running, ended])
    return { answer, calls, batches }
  })
}
