// npm run doctor against the service as `npm start` runs it, with a fault planted each time: in its variables, in its
// database, or in an answer on its way. npm run test.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, describe, it } from "node:test"
import { runChecks } from "../../scripts/deploy/doctor/checks.ts"
import { type Diagnostics, gatherFacts } from "../../scripts/deploy/doctor/facts.ts"
import { reportLines } from "../../scripts/deploy/doctor/finding.ts"
import { connect, PASSWORD } from "../../scripts/lib/client.ts"
import { freePort } from "../../scripts/lib/ports.ts"
import { type Service, startService, toVarFlags } from "../../scripts/lib/service.ts"
import { findDatabaseFile, root } from "../../scripts/lib/state.ts"
import { type DeployedAccount, deployedAccount } from "./cloudflare/account.ts"
import { ACCOUNT, TOKEN } from "./cloudflare/api.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-doctor-"))
let service: Service
/** A proxy that changes the responses of the service. */
let front: Server
let address = ""
let admin = ""
let staff = ""
type Answer = { status: number; headers: Record<string, string>; body: string }
let change: (path: string, answer: Answer) => void

before(async () => {
  front = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      name === "host" || name === "connection" || value === undefined ? [] : [[name, String(value)]],
    )
    const path = request.url ?? "/"
    const init = { method: request.method ?? "GET", headers, redirect: "manual" as const }
    const given = await fetch(new URL(path, service.url), init)
    const answer = { status: given.status, headers: Object.fromEntries(given.headers), body: await given.text() }
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) delete answer.headers[name]
    change(path, answer)
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => front.listen(0, "localhost", resolve))
  address = `http://localhost:${(front.address() as AddressInfo).port}`
  const vars = { BASE_URL: address, ACCESS_POLICY: "enforced", RATE_LIMIT: "1000000" }
  service = await startService(join(folder, "state"), toVarFlags(vars), { port: await freePort() })
  await service.cron()
  admin = (await connect(service.url, "admin@example.com", PASSWORD)).token
  staff = (await connect(service.url, "staff@example.com", PASSWORD)).token
})
after(async () => {
  front.close()
  await service.stop()
  rmSync(folder, { recursive: true })
})

/** Runs the doctor. @returns its exit code, errors and warnings */
async function examined(args: string[] = [], given = admin, more: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    [
      ...["--disable-warning=ExperimentalWarning", join(root, "scripts/deploy/doctor.ts")],
      ...(args.includes("--url") ? args : ["--url", address, ...args]),
    ],
    { env: { ...process.env, TOKEN: given, DEPLOYMENT: join(folder, "none"), ...more } },
  )
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += data))
  const status = await new Promise<number | null>((done) => child.on("close", done))
  const lines = (mark: string) => printed.split("\n").filter((line) => line.startsWith(`  ${mark}`))
  return { status, printed, wrong: lines("WRONG"), notes: lines("note") }
}

const diagnosed = (plant: (diagnostics: Diagnostics) => unknown) => (path: string, answer: Answer) => {
  if (path !== "/api/diagnostics") return
  const diagnostics = JSON.parse(answer.body)
  plant(diagnostics)
  answer.body = JSON.stringify(diagnostics)
}

describe("npm run doctor", () => {
  it("reports no problem for a healthy service", async () => {
    change = () => {}
    const { status, printed, wrong } = await examined()
    assert.deepEqual([status, wrong], [0, []], printed)
    assert.match(printed, /The service is ready\.[\s\S]*The cron runs\.[\s\S]*\nAll checks passed\./)
  })

  it("reports skipped checks without a token, and a rejected token", async () => {
    change = () => {}
    const without = await examined([], "")
    assert.equal(without.status, 0)
    assert.match(without.printed, /note {3}Settings, bindings, cron and queues were not checked/)
    const low = await examined([], staff)
    assert.equal(low.status, 1)
    assert.match(low.printed, /WRONG {2}The token was rejected: .*\n +Use an administrator's session token/)
  })

  it("reports when the service, or another one, answers at the URL", async () => {
    const nowhere = await examined(["--url", "http://localhost:18599"])
    assert.equal(nowhere.status, 1)
    assert.match(nowhere.printed, /WRONG {2}http:\/\/localhost:18599 does not answer \(ECONNREFUSED\)/)
    change = (_, answer) => Object.assign(answer, { status: 200, body: "<h1>Parked</h1>" })
    const other = await examined()
    assert.deepEqual([other.status, other.wrong.length], [1, 1])
    assert.match(other.printed, /WRONG {2}Another service answers/)
  })

  const database = () => new DatabaseSync(findDatabaseFile(join(folder, "state")) ?? "", { timeout: 5000 })
  const old = Date.now() - 3_600_000
  const inDatabase: [what: string, plant: string, mend: string, says: RegExp][] = [
    [
      "a migration that was not applied",
      "create table aside as select * from d1_migrations; delete from d1_migrations where id > 1",
      "insert or ignore into d1_migrations select * from aside; drop table aside",
      /Not ready: The schema is older than the code.*\n +Run npm run deploy/,
    ],
    [
      "a job that is not processed",
      `insert into erasures (user_id, reason, due_at, created_at) values (999999, 'requested', ${old}, ${old})`,
      "delete from erasures where user_id = 999999",
      /Not ready: The oldest erasure has been due for \d{4} seconds\.\n +Check that the cron runs/,
    ],
    [
      "a cron that has stopped",
      `update cron_runs set ran_at = ${old}`,
      "update cron_runs set ran_at = unixepoch() * 1000",
      /The cron has not run for 6\d minutes\.\n +Run npm run deploy/,
    ],
    [
      "a sweep that fails",
      "update cron_runs set failed = 2",
      "update cron_runs set failed = 0",
      /2 sweeps of the cron's last run failed/,
    ],
  ]
  for (const [what, plant, mend, says] of inDatabase)
    it(`finds ${what}`, async () => {
      change = () => {}
      const db = database()
      try {
        // What /ready said last is over after two seconds.
        await new Promise((done) => setTimeout(done, 2100))
        db.exec(plant)
        const { status, printed } = await examined()
        assert.equal(status, 1, printed)
        assert.match(printed, says)
      } finally {
        db.exec(mend)
        db.close()
      }
    })

  const settings = (name: string, value: string) =>
    diagnosed((diagnostics) => Object.assign(diagnostics.settings, { [name]: value }))
  const onTheWay: [what: string, plant: typeof change, says: RegExp][] = [
    [
      "a policy without authentication",
      (path, answer) => path.startsWith("/api/users/lookup?") && Object.assign(answer, { status: 200 }),
      /note {3}The API does not require authentication/,
    ],
    [
      "an API that is open to every page",
      (_, answer) => Object.assign(answer.headers, { "access-control-allow-origin": "https://doctor.invalid" }),
      /WRONG {2}Pages from any origin can call the API/,
    ],
    [
      "a clock that is wrong",
      (path, answer) =>
        path === "/health" && Object.assign(answer.headers, { date: new Date(Date.now() + 90_000).toUTCString() }),
      /WRONG {2}This machine's clock is (89|90|91) seconds behind/,
    ],
    [
      "static files that are not there",
      (path, answer) => path.startsWith("/assets") && Object.assign(answer, { status: 404 }),
      /WRONG {2}\/assets\/logo\.svg was not found \(status 404\)/,
    ],
    [
      "another BASE_URL",
      settings("BASE_URL", "https://elsewhere.test"),
      /WRONG {2}BASE_URL is https:\/\/elsewhere\.test/,
    ],
    [
      "an origin for packages that does not answer",
      settings("CONTENT_ORIGIN", "http://localhost:18599"),
      /WRONG {2}http:\/\/localhost:18599 \(CONTENT_ORIGIN\) does not/,
    ],
    [
      "an invalid origin for packages",
      settings("CONTENT_ORIGIN", "content.example.org"),
      /WRONG {2}CONTENT_ORIGIN is content\.example\.org, which is not a valid origin/,
    ],
    [
      "packages that would run at the service's own address",
      (path, answer) => settings("CONTENT_ORIGIN", address)(path, answer),
      /WRONG {2}CONTENT_ORIGIN is the same as BASE_URL/,
    ],
    [
      "an unknown mail provider",
      settings("MAIL_PROVIDER", "pigeon"),
      /WRONG {2}MAIL_PROVIDER is pigeon, which is not supported/,
    ],
    ["a mail provider without its key", settings("MAIL_PROVIDER", "resend"), /WRONG {2}resend requires MAIL_API_KEY/],
    [
      "a mail quota that is spent",
      (path, answer) => {
        const paused = {
          reason: "quota",
          error: "E_DAILY_LIMIT_EXCEEDED",
          since: "2031-04-05T12:00Z",
          until: "2031-04-06",
        }
        if (path === "/ready") answer.body = JSON.stringify({ ...JSON.parse(answer.body), mail: { paused } })
      },
      /note {3}The mail provider has rejected mail since 2031-04-05T12:00Z \(E_DAILY_LIMIT_EXCEEDED\)/,
    ],
    [
      "a mail provider that refuses the deployment",
      (path, answer) => {
        const errors = { outbox: ["The mail provider rejects this deployment: E_SENDER_NOT_VERIFIED."] }
        if (path === "/ready") Object.assign(answer, { status: 503, body: JSON.stringify({ errors }) })
      },
      /WRONG {2}Not ready: The mail provider rejects this deployment: E_SENDER_NOT_VERIFIED\./,
    ],
    [
      "a limit that is no number",
      settings("RATE_LIMIT", "many"),
      /WRONG {2}The rate limit is not a number \(RATE_LIMIT=many/,
    ],
    [
      "a quota that is no number",
      settings("MAX_DEVICES", "many"),
      /WRONG {2}MAX_DEVICES is many, which is not a number/,
    ],
    [
      "a retention of events beyond its range",
      settings("EVENT_RETENTION_DAYS", "500"),
      /WRONG {2}EVENT_RETENTION_DAYS is 500: events are kept for 30 days/,
    ],
    ["an invalid time zone", settings("TIME_ZONE", "Europe/Atlantis"), /WRONG {2}TIME_ZONE is Europe\/Atlantis/],
    [
      "sessions that end in the future",
      settings("SESSIONS_AFTER", "2999-01-01T00:00:00Z"),
      /WRONG {2}SESSIONS_AFTER is 2999/,
    ],
    ["an academy in read-only mode", settings("READ_ONLY", "on"), /note {3}READ_ONLY is on/],
    [
      "a secret that is missing",
      diagnosed(({ secrets }) => (secrets.APP_SECRET = 0)),
      /WRONG {2}APP_SECRET is not set/,
    ],
    [
      "a secret that is short",
      diagnosed(({ secrets }) => (secrets.APP_SECRET = 8)),
      /WRONG {2}APP_SECRET has 8 characters/,
    ],
    [
      "a rotation in the middle",
      diagnosed(({ secrets }) => (secrets.APP_SECRET_PREVIOUS = 43)),
      /note {3}A secret rotation/,
    ],
    [
      "bindings that are missing",
      diagnosed(({ bindings }) => Object.assign(bindings, { EMAIL: false, MAIL: false })),
      /WRONG {2}Missing bindings: EMAIL, MAIL\./,
    ],
    [
      "a bucket that is gone",
      diagnosed((diagnostics) => (diagnostics.files = false)),
      /WRONG {2}The bucket is not reachable/,
    ],
    ["a cron that was never set", diagnosed(({ cron }) => (cron.ranAt = null)), /WRONG {2}The cron has never run/],
    [
      "messages that are not consumed",
      diagnosed(({ queues }) => (queues.MAIL = { messages: 70, oldestAt: old })),
      /WRONG {2}70 messages are waiting in MAIL/,
    ],
    [
      "a database that is full",
      diagnosed((diagnostics) => (diagnostics.database.bytes = 9e9)),
      /WRONG {2}The database uses 9\.0 of 10 GB/,
    ],
    [
      "an unfinished backup",
      diagnosed((diagnostics) => (diagnostics.backupNotes = true)),
      /note {3}A backup is running or was interrupted/,
    ],
    [
      "a running backfill",
      (path, answer) => {
        if (path === "/ready")
          answer.body = JSON.stringify({ ...JSON.parse(answer.body), backfills: ["points of badges"] })
      },
      /note {3}Backfills are running: points of badges/,
    ],
  ]
  for (const [what, plant, says] of onTheWay)
    it(`finds ${what}`, async () => {
      change = plant
      // Without a process: each start would take as long as the checks.
      const findings = runChecks(await gatherFacts(new URL(address), admin, undefined))
      assert.match(reportLines(findings).join("\n"), says)
    })

  const DATABASE = "11111111-2222-3333-4444-555555555555"
  /** Checks a deployment that this folder sets up, including its Cloudflare account. */
  async function examinedWithAccount(plant: (there: DeployedAccount) => unknown) {
    change = () => {}
    const there = await deployedAccount("academy", DATABASE, ["APP_SECRET"])
    const at = join(folder, "deployment")
    mkdirSync(at, { recursive: true })
    const given = { BASE_URL: address, MAIL_FROM: "a@b.test", NAME: "academy", DATABASE_ID: DATABASE }
    writeFileSync(
      join(at, "settings.env"),
      Object.entries(given)
        .map((pair) => `${pair.join("=")}\n`)
        .join(""),
    )
    writeFileSync(join(at, "secrets.env"), 'APP_SECRET="of the operator"\n')
    plant(there)
    const base = { CLOUDFLARE_API_BASE_URL: there.account.base, CLOUDFLARE_API_TOKEN: TOKEN }
    try {
      return await examined([], admin, { ...base, DEPLOYMENT: at, CLOUDFLARE_ACCOUNT_ID: ACCOUNT })
    } finally {
      await there.close()
    }
  }

  it("reports no problem for a correct account", async () => {
    const { status, printed } = await examinedWithAccount(() => {})
    assert.equal(status, 0, printed)
    for (const says of [
      /Read replication is on/,
      /The bucket exists/,
      /Every queue has a consumer/,
      /The CPU limit is sufficient/,
    ])
      assert.match(printed, says)
    assert.doesNotMatch(printed, /Account checks were skipped/)
  })

  it("fails when an account check fails", async () => {
    const { status, wrong } = await examinedWithAccount(({ script }) => (script.schedules = []))
    assert.equal(status, 1)
    assert.match(wrong.join(), /^ {2}WRONG {2}No cron is set\.$/)
  })

  it("reports all invalid variables at once", async () => {
    change = () => {}
    await service.stop()
    service = await startService(
      join(folder, "state"),
      toVarFlags({
        ...{ BASE_URL: "https://elsewhere.test", ACCESS_POLICY: "documented", ALLOWED_ORIGINS: "*" },
        ...{ TIME_ZONE: "Nowhere", RATE_WINDOW_SECONDS: "0", READ_ONLY: "on" },
      }),
      { port: await freePort() },
    )
    const { status, printed, wrong, notes } = await examined()
    assert.equal(status, 1)
    assert.equal(wrong.length, 4, printed)
    for (const [i, says] of [/any origin/, /BASE_URL is/, /rate limit/, /TIME_ZONE/].entries())
      assert.match(wrong[i] ?? "", says)
    assert.match(notes.join(), /does not require authentication.*READ_ONLY is on/)
  })
})
