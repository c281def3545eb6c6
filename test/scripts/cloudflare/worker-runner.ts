// Runs what is uploaded to the stand-in of Cloudflare: the modules and static files of a version, by wrangler dev, with
// the database and bucket that the API knows. It makes a deployment answer at an address.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { D1Database, R2Bucket } from "@cloudflare/workers-types"
import { getPlatformProxy } from "wrangler"
import { type Server, startWorker } from "../../../scripts/lib/service.ts"
import { WRANGLER_ENV } from "../../../scripts/lib/wrangler.ts"
import type { CloudflareAccount } from "./api.ts"
import type { Store } from "./r2.ts"
import type { Binding, Version } from "./workers.ts"

const COMPATIBILITY_DATE = "2026-11-01"
const DAY = 86_400_000
/** What runs in place of an uploaded module. The clock is set up before that is evaluated. */
const ENTRY = `import wrapped from "./runtime.mjs"
import worker from "./index.js"
export * from "./index.js"
export default wrapped(worker)
`

/** Opens databases and buckets in a folder as wrangler dev keeps them there. */
export function openStorage(folder: string) {
  Object.assign(process.env, WRANGLER_ENV)
  const closers: (() => unknown)[] = []

  async function platform<T extends object>(bindings: object): Promise<T> {
    const at = mkdtempSync(join(folder, "platform-"))
    const configPath = join(at, "wrangler.json")
    writeFileSync(configPath, JSON.stringify({ name: "platform", compatibility_date: COMPATIBILITY_DATE, ...bindings }))
    const options = { configPath, envFiles: [], persist: { path: join(folder, "v3") }, remoteBindings: false }
    const { env, dispose } = await getPlatformProxy<T>(options)
    closers.push(dispose)
    return env
  }

  const databaseFiles = (): string[] => {
    const at = join(folder, "v3/d1/miniflare-D1DatabaseObject")
    mkdirSync(at, { recursive: true })
    return readdirSync(at)
      .filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
      .map((name) => join(at, name))
  }

  async function open(id: string): Promise<DatabaseSync> {
    const before = databaseFiles()
    const d1_databases = [{ binding: "DB", database_name: "db", database_id: id }]
    const { DB } = await platform<{ DB: D1Database }>({ d1_databases })
    await DB.prepare("select 1").run()
    const made = databaseFiles().find((file) => !before.includes(file))
    const database = new DatabaseSync(made ?? "", { timeout: 5000 })
    closers.push(() => database.close())
    return database
  }

  function storeOf(bucket: string): Store {
    const r2_buckets = [{ binding: "FILES", bucket_name: bucket }]
    let opened: Promise<{ FILES: R2Bucket }> | undefined
    const files = async () => {
      opened ??= platform<{ FILES: R2Bucket }>({ r2_buckets })
      return (await opened).FILES
    }
    return {
      list: async (after, limit) => {
        const page = await (await files()).list({
          ...{ limit, include: ["httpMetadata", "customMetadata"] },
          ...(after !== "" && { startAfter: after }),
        })
        return page.objects.map(({ key, size, etag, httpMetadata, customMetadata }) => ({
          ...{ key, size, etag, custom_metadata: { ...customMetadata } },
          http_metadata: Object.fromEntries(
            Object.entries(httpMetadata ?? {}).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
          ),
        }))
      },
      get: async (key) => {
        const object = await (await files()).get(key)
        return object ? Buffer.from(await object.arrayBuffer()) : undefined
      },
      put: async (key, content, httpMetadata) =>
        (await (await files()).put(key, content as never, { httpMetadata })).etag,
      remove: async (key) => {
        await (await files()).delete(key)
        return true
      },
    }
  }

  return { open, storeOf, close: () => Promise.all(closers.map((close) => close())) }
}

/** The configuration by which wrangler dev runs a version of a Worker, with what the account has for it. */
function configOf(account: CloudflareAccount, name: string, version: Version, standIn: string) {
  const { bindings, compatibility_date, compatibility_flags, assets } = version.metadata
  const of = (type: string) => bindings.filter((binding) => binding.type === type)
  const script = account.workers.scripts.get(name)
  const consumed = [...account.queues.values()].flatMap(({ queue_name, consumers }) =>
    consumers.filter((consumer) => consumer.script === name).map((consumer) => ({ queue_name, ...consumer })),
  )
  const vars = Object.fromEntries([
    ...of("plain_text").map((binding) => [binding.name, binding.text]),
    ...version.secrets,
    ["STAND_IN", standIn],
  ])
  const classes = of("durable_object_namespace")
  return {
    ...{ name, main: "entry.mjs", no_bundle: true, find_additional_modules: true, compatibility_date },
    ...{ compatibility_flags, vars },
    rules: [
      { type: "ESModule", globs: ["**/*.js", "**/*.mjs"], fallthrough: false },
      { type: "CompiledWasm", globs: ["**/*.wasm"], fallthrough: false },
    ],
    d1_databases: of("d1").map(({ name: binding, id }) => ({ binding, database_name: "db", database_id: id })),
    r2_buckets: of("r2_bucket").map(({ name: binding, bucket_name }) => ({ binding, bucket_name })),
    queues: {
      producers: of("queue").map(({ name: binding, queue_name: queue }) => ({ binding, queue })),
      consumers: consumed.map(({ queue_name: queue, settings, dead_letter_queue }) => ({
        ...{ queue, dead_letter_queue },
        ...{ max_batch_size: settings.batch_size, max_retries: settings.max_retries, max_batch_timeout: 0 },
        ...{ retry_delay: settings.retry_delay, max_concurrency: settings.max_concurrency },
      })),
    },
    durable_objects: { bindings: classes.map((binding) => ({ name: binding.name, class_name: binding.class_name })) },
    migrations: [{ tag: "v1", new_sqlite_classes: classes.map((binding: Binding) => binding.class_name) }],
    analytics_engine_datasets: of("analytics_engine").map(({ name: binding, dataset }) => ({ binding, dataset })),
    ...(assets && {
      assets: {
        ...{ directory: "assets", binding: of("assets")[0]?.name },
        run_worker_first: assets.config?.run_worker_first ?? false,
      },
    }),
    triggers: { crons: script?.schedules.map(({ cron }) => cron) ?? [] },
  }
}

/**
 * The address of a Worker. One version runs at a time: the one that a request names, or else the one with the largest
 * share.
 */
export async function startWorkerRunner(account: CloudflareAccount, name: string, folder: string) {
  let offset = 0
  /** How many mails are taken on a day of the moved clock. */
  let quota = Number.POSITIVE_INFINITY
  const mails: { to: string; text: string; day: number }[] = []
  const refused = { mails: 0 }
  const served: string[] = []
  let running: { key: string; server: Server } | undefined
  let last: Promise<unknown> = Promise.resolve()

  const today = () => Math.floor((Date.now() + offset) / DAY)
  function takeMail(body: string): string | undefined {
    const { to, text } = JSON.parse(body) as { to: string; text: string }
    const taken = mails.filter(({ day }) => day === today()).length
    if (taken >= quota) {
      refused.mails++
      return "E_DAILY_LIMIT_EXCEEDED"
    }
    mails.push({ to, text, day: today() })
    return undefined
  }

  /** The version that a request is for. */
  function versionFor(override: string | undefined): Version | undefined {
    const script = account.workers.scripts.get(name)
    const [named] = override ? [...override.matchAll(/="([^"]+)"/g)].map(([, id]) => id) : []
    const shares = script?.deployments[0]?.versions.toSorted((a, b) => b.percentage - a.percentage) ?? []
    const id = shares.find(({ version_id }) => version_id === named)?.version_id ?? shares[0]?.version_id
    return script?.versions.find((version) => version.id === id)
  }

  async function start(version: Version): Promise<Server> {
    const at = mkdtempSync(join(folder, "version-"))
    const write = (path: string, content: string | Buffer) => {
      mkdirSync(dirname(join(at, path)), { recursive: true })
      writeFileSync(join(at, path), content)
    }
    for (const { name: path, type, content } of version.modules)
      if (type !== "application/source-map") write(path, content)
    const manifest = account.workers.manifests.get(version.metadata.assets?.jwt ?? "") ?? {}
    for (const [path, { hash }] of Object.entries(manifest))
      write(`assets${path}`, account.workers.assets.get(hash) ?? "")
    copyFileSync(join(import.meta.dirname, "runtime.mjs"), join(at, "runtime.mjs"))
    write("entry.mjs", ENTRY)
    write("wrangler.json", JSON.stringify(configOf(account, name, version, standIn)))
    return startWorker(join(at, "wrangler.json"), folder)
  }

  /** The server of a version, once those of others have ended. */
  function serverOf(version: Version): Promise<Server> {
    const consumers = [...account.queues.values()].flatMap((queue) => queue.consumers)
    // A consumer or secret that comes later needs another start.
    const key = JSON.stringify([version.id, consumers])
    const next = last
      .catch(() => {})
      .then(async () => {
        if (running?.key !== key) {
          await running?.server.stop()
          running = undefined
          running = { key, server: await start(version) }
        }
        return running.server
      })
    last = next
    return next
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (request.url === "/stand-in/clock") return response.end(String(offset))
    if (request.url === "/stand-in/mail") return response.end(JSON.stringify({ code: takeMail(body.toString()) }))
    const headers = Object.entries(request.headers).flatMap(([key, value]): [string, string][] =>
      /^(host|connection|content-length|transfer-encoding|expect)$/.test(key) || value === undefined
        ? []
        : [[key, String(value)]],
    )
    const version = versionFor(request.headers["cloudflare-workers-version-overrides"] as string | undefined)
    if (!version) return response.writeHead(404).end("There is no Worker at this address.")
    served.push(version.id)
    const server = await serverOf(version)
    const method = request.method ?? "GET"
    const given = await fetch(new URL(request.url ?? "/", server.url), {
      ...{ method, headers, redirect: "manual" },
      ...(method !== "GET" && method !== "HEAD" && { body }),
    })
    const sentHeaders = Object.fromEntries(given.headers)
    for (const key of ["content-encoding", "content-length", "transfer-encoding"]) delete sentHeaders[key]
    response.writeHead(given.status, sentHeaders).end(Buffer.from(await given.arrayBuffer()))
  }

  const front = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(502).end(String(error)))
  })
  await new Promise<void>((done) => front.listen(0, "localhost", done))
  const standIn = `http://localhost:${(front.address() as AddressInfo).port}`

  return {
    url: standIn,
    mails,
    refused,
    /** The versions that served, one for each request. */
    served,
    setQuota: (perDay: number) => {
      quota = perDay
    },
    moveClock: (milliseconds: number) => {
      offset += milliseconds
    },
    now: () => Date.now() + offset,
    /** Fires the cron, where the Worker has one. */
    cron: async () => {
      const version = versionFor(undefined)
      const crons = account.workers.scripts.get(name)?.schedules ?? []
      if (!version || crons.length === 0) throw new Error(`${name} has no cron.`)
      const server = await serverOf(version)
      const fired = await fetch(`${server.url}/cdn-cgi/local/scheduled`)
      if (!fired.ok) throw new Error(`The cron failed: ${fired.status} ${await fired.text()}`)
    },
    close: async () => {
      await last.catch(() => {})
      await running?.server.stop()
      front.closeAllConnections()
      front.close()
    },
  }
}
