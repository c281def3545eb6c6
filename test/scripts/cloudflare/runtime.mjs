// Wraps an uploaded Worker where the stand-in runs it: its clock can be moved, its mail goes to the stand-in, and one
// invocation has 1,000 D1 queries. wrangler dev enforces the other limits of D1 by itself.
const MAX_QUERIES = 1000

let offset = 0
const realNow = Date.now
Date.now = () => realNow() + offset
globalThis.Date = new Proxy(Date, {
  construct: (target, args) => (args.length === 0 ? new target(target.now()) : new target(...args)),
})

/** A mail binding that fails as Cloudflare's does. */
const email = (standIn) => ({
  async send(mail) {
    const answer = await fetch(`${standIn}/stand-in/mail`, { method: "POST", body: JSON.stringify(mail) })
    const { code } = await answer.json()
    if (code) throw Object.assign(new Error(`The mail was refused (${code}).`), { code })
  },
})

/** Counts the queries of an invocation. */
function limited(database) {
  let queries = 0
  const originals = new WeakMap()
  const count = (more) => {
    queries += more
    if (queries > MAX_QUERIES) throw new Error("Too many API requests by single worker invocation.")
  }
  const statement = (original) => {
    const counted =
      (name) =>
      (...args) => {
        count(1)
        return original[name](...args)
      }
    const wrapped = {
      bind: (...values) => statement(original.bind(...values)),
      ...Object.fromEntries(["all", "first", "raw", "run"].map((name) => [name, counted(name)])),
    }
    originals.set(wrapped, original)
    return wrapped
  }
  const session = (original) => ({
    prepare: (sql) => statement(original.prepare(sql)),
    batch: (statements) => {
      count(statements.length)
      return original.batch(statements.map((one) => originals.get(one)))
    },
    getBookmark: () => original.getBookmark(),
    withSession: (constraint) => session(original.withSession(constraint)),
  })
  return session(database)
}

async function within(env) {
  const { STAND_IN: standIn, ...own } = env
  offset = Number(await (await fetch(`${standIn}/stand-in/clock`)).text())
  return { ...own, DB: limited(own.DB), EMAIL: email(standIn) }
}

/** The handlers of a Worker as the stand-in calls them. */
export default (worker) => ({
  fetch: async (request, env, context) => worker.fetch(request, await within(env), context),
  queue: async (batch, env, context) => worker.queue(batch, await within(env), context),
  scheduled: async (event, env, context) => worker.scheduled(event, await within(env), context),
})
