// Whether a copy of an academy can be kept equal from outside, with the lists, the event feed and the typed client. The
// program copies the sample academy, runs random acts, applies the feed, and compares the copy with the lists. Then it
// restores an earlier state: the feed must tell the reader to start again.
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createClient, type LecternClient, LecternError } from "../../src/client/index.ts"
import { flags, integer } from "../lib/cli.ts"
import { PASSWORD } from "../lib/client.ts"
import { failures, finish } from "../lib/expect.ts"
import { type Service, startService, toVarFlags } from "../lib/service.ts"
import { applyEvent } from "./apply.ts"
import { learningActs } from "./learning-acts.ts"
import { peopleActs } from "./people-acts.ts"
import { Random } from "./random.ts"
import { readSnapshot } from "./snapshot.ts"
import { differences, type Store, tables } from "./store.ts"
import { type Act, type Learner, World } from "./world.ts"

const values = flags(
  "npm run verify -- mirror",
  "Keeps a copy of an academy by its event feed, and compares it with the service after random acts.",
  {
    acts: { type: "string", value: "n", default: "5000", about: "how many acts" },
    seed: { type: "string", value: "n", default: "1", about: "the seed of the random acts" },
    shown: { type: "string", value: "n", default: "10", about: "how many differences of a table are shown" },
  },
)
const ACTS = integer("acts", values.acts)
const SEED = integer("seed", values.seed)
const SHOWN = integer("shown", values.shown)
/** The feed is read after this number of acts. */
const ACTS_PER_READ = 25
const ACTS_AFTER_RESTORE = 200
const LEARNERS = 5
/** Background jobs have ended when the feed has had no event for this long. */
const QUIET_MS = 5000

const folder = mkdtempSync(join(tmpdir(), "lectern-mirror-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const state = join(folder, "state")
const earlierState = join(folder, "earlier")
const start = () => startService(state, toVarFlags({ RATE_LIMIT: "1000000000" }))
const shown = (line: string) => console.info(`${new Date().toISOString().slice(11, 19)}  ${line}`)

async function signIn(service: Service, email: string): Promise<LecternClient> {
  const client = createClient({ baseUrl: service.url })
  await client.signIn({ email, password: PASSWORD })
  return client
}

/** A copy with its position in the feed. */
class Mirror {
  store: Store
  events = 0
  private readonly client: LecternClient
  private cursor: string | undefined

  private constructor(client: LecternClient, store: Store, cursor: string | undefined) {
    this.client = client
    this.store = store
    this.cursor = cursor
  }

  /** The cursor comes before the lists: events that happen meanwhile are applied to what the lists already have. */
  static async create(client: LecternClient): Promise<Mirror> {
    const feed = client.events({ after: "latest" })
    for await (const _ of feed.pages());
    return new Mirror(client, await readSnapshot(client), feed.cursor)
  }

  /** The same copy for another client. */
  with(client: LecternClient): Mirror {
    return new Mirror(client, this.store, this.cursor)
  }

  /** Applies the new events. @returns how many there were */
  async update(): Promise<number> {
    const before = this.events
    const feed = this.client.events({ after: this.cursor })
    for await (const { events, cursor } of feed.pages()) {
      for (const event of events) applyEvent(this.store, event)
      this.events += events.length
      this.cursor = cursor
    }
    this.cursor = feed.cursor
    return this.events - before
  }

  /** Applies events until background jobs have ended. */
  async settle(service: Service): Promise<void> {
    for (let quietSince = Date.now(); Date.now() < quietSince + QUIET_MS; await sleep(500)) {
      await service.cron()
      if ((await this.update()) > 0) quietSince = Date.now()
    }
  }
}

/** Runs random acts. A refused act is an answer like others; a server error ends the program. */
async function run(count: number, world: World, mirror: Mirror) {
  const bag = Object.entries({ ...peopleActs, ...learningActs }).flatMap(([name, [weight, act]]) =>
    Array.from({ length: weight }, (): [string, Act] => [name, act]),
  )
  const counts = new Map<string, { done: number; refused: Map<string, number> }>()
  for (let at = 1; at <= count; at++) {
    const [name, act] = world.random.pick(bag) ?? []
    if (!name || !act) throw new Error("There are no acts.")
    const result = counts.get(name) ?? { done: 0, refused: new Map() }
    counts.set(name, result)
    try {
      if ((await act(world)) !== undefined) result.done++
    } catch (error) {
      if (!(error instanceof LecternError) || error.status >= 500 || error.status === 0) throw error
      result.refused.set(error.code, (result.refused.get(error.code) ?? 0) + 1)
    }
    if (at % ACTS_PER_READ === 0) await mirror.update()
    if (at % 500 === 0) shown(`${at} acts, ${mirror.events} events`)
  }
  for (const [name, { done, refused }] of counts)
    console.info(`  ${name}: ${done}${[...refused].map(([code, times]) => `, ${times} × ${code}`).join("")}`)
  const neverDone = Object.keys({ ...peopleActs, ...learningActs }).filter((name) => !counts.get(name)?.done)
  return neverDone
}

/** Compares the copy with the lists. */
async function compare(when: string, client: LecternClient, { store }: Mirror) {
  const service = await readSnapshot(client)
  for (const table of tables) {
    const found = differences(table, store, service)
    console.info(`  ${table}: ${service.count(table)} rows, ${found.length} differ`)
    for (const line of found.slice(0, SHOWN)) console.info(`    ${line}`)
    if (found.length > 0) failures.push(`${when}: ${found.length} rows of ${table} differ.`)
  }
}

async function createWorld(service: Service, client: LecternClient, mirror: Mirror, seed: number) {
  const [owner] = mirror.store.all("select id from users where email = 'owner@example.com'")
  const learnerRows = mirror.store.all(
    "select id, email from users where userType = 'general' and not disabled order by id limit ?",
    LEARNERS,
  )
  const learners: Learner[] = []
  for (const { id, email } of learnerRows)
    learners.push({ id: Number(id), client: await signIn(service, String(email)) })
  const textModuleIds: number[] = []
  for await (const { id } of client.list("/api/modules/text")) textModuleIds.push(id)
  const parts = { client, learners, store: mirror.store, random: new Random(seed), textModuleIds }
  return new World({ ...parts, ownerId: Number(owner?.id) })
}

shown("Starting a service with the sample academy …")
await (await start()).stop()
cpSync(state, earlierState, { recursive: true })
let service = await start()
let client = await signIn(service, "owner@example.com")
let mirror = await Mirror.create(client)
shown(`The copy has ${tables.map((table) => `${mirror.store.count(table)} ${table}`).join(", ")}.`)
const neverDone = await run(ACTS, await createWorld(service, client, mirror, SEED), mirror)
if (ACTS >= 1000) for (const name of neverDone) failures.push(`The act "${name}" was never done.`)
await mirror.settle(service)
shown(`${ACTS} acts wrote ${mirror.events} events. The copy beside the service:`)
await compare(`After ${ACTS} acts`, client, mirror)

shown("Restoring the state before the acts …")
await service.stop()
rmSync(state, { recursive: true })
cpSync(earlierState, state, { recursive: true })
service = await start()
client = await signIn(service, "owner@example.com")
const stale = mirror.with(client)
const refusal = await stale.update().catch((error) => error)
const code = refusal instanceof LecternError ? `${refusal.status} ${refusal.code}` : String(refusal)
shown(`The feed answers the old cursor with ${code}.`)
if (code !== "410 cursor_expired") failures.push(`The old cursor is answered with ${code} after a restore.`)
mirror = await Mirror.create(client)
await run(ACTS_AFTER_RESTORE, await createWorld(service, client, mirror, SEED + 1), mirror)
await mirror.settle(service)
shown(`The new copy beside the service after ${ACTS_AFTER_RESTORE} acts:`)
await compare("After the restore", client, mirror)
await service.stop()
finish("The copy equals the service, and starts again after a restore.")
