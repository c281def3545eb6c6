// Deploy, rollback and rotate with a fake wrangler that records its calls and returns
// configured results. npm run test.
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, beforeEach, describe, it } from "node:test"
import { addResources, QUEUES } from "./cloudflare/account.ts"
import { ACCOUNT, type CloudflareAccount, cloudflareAccount, TOKEN } from "./cloudflare/api.ts"
import type { Database } from "./cloudflare/d1.ts"
import { itInAll } from "./matrix.ts"

const root = join(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "lectern-deploy-"))
const deployment = join(folder, "deployment")
const calls = join(folder, "calls.jsonl")
const answers = join(folder, "answers.json")
const fake = join(folder, "wrangler.mjs")
const ID = "11111111-2222-3333-4444-555555555555"
const [V1, V2] = ["aaaaaaaa-0000-0000-0000-000000000001", "bbbbbbbb-0000-0000-0000-000000000002"]

/** The results of the fake wrangler by call pattern: one after the other, then the last one repeatedly. */
type Answers = Record<string, { status?: number; stdout?: string; stderr?: string; output?: string }[]>

writeFileSync(
  fake,
  `import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
const args = process.argv.slice(2)
const secrets = args.find((arg) => arg.endsWith("secrets.json"))
const isWhere = (arg) => arg === "--config" || arg === "--env"
const plain = args.filter((arg, i) => !isWhere(arg) && !isWhere(args[i - 1]))
appendFileSync(${JSON.stringify(calls)}, JSON.stringify({
  call: plain.map((arg) => (arg === secrets ? "SECRETS" : arg)).join(" "),
  isPrimary: args.some((arg) => arg.endsWith("wrangler.deployment-primary.toml")),
  ...(secrets && { secrets: JSON.parse(readFileSync(secrets, "utf8")) }),
}) + "\\n")
const answers = JSON.parse(readFileSync(${JSON.stringify(answers)}, "utf8"))
const found = Object.entries(answers).find(([pattern]) => new RegExp(pattern).test(args.join(" ")))
if (!found) process.exit(0)
const [pattern, [answer, ...rest]] = found
if (rest.length > 0) writeFileSync(${JSON.stringify(answers)}, JSON.stringify({ ...answers, [pattern]: rest }))
if (answer.output) appendFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH, answer.output + "\\n")
process.stdout.write(answer.stdout ?? "")
process.stderr.write(answer.stderr ?? "")
process.exitCode = answer.status ?? 0
`,
)

/** The response of /ready, and the requested hosts. */
let ready: (asked: IncomingMessage) => [number, string]
const service = createServer((request, response) => {
  const [status, body] = ready(request)
  response.writeHead(status).end(body)
})
let baseUrl = ""
/** The requests to Cloudflare's API that do not use wrangler. */
let account: CloudflareAccount
let database: Database
before(async () => {
  account = await cloudflareAccount()
  addResources(account, "lectern")
  await new Promise<void>((done) => service.listen(0, "localhost", done))
  baseUrl = `http://localhost:${(service.address() as AddressInfo).port}`
})
after(async () => {
  await account.close()
  service.close()
  rmSync(folder, { recursive: true })
})

const shares = (...of: [string, number][]) => ({
  stdout: JSON.stringify({ versions: of.map(([version_id, percentage]) => ({ version_id, percentage })) }),
})
const NONE = { status: 1, stderr: "The Worker lectern has no deployments." }
const UPLOADED = { output: JSON.stringify({ type: "version-upload", version_id: V2 }) }
/** A deployment that is there, and takes the next version. */
const THERE: Answers = {
  "^d1 list": [{ stdout: JSON.stringify([{ name: "lectern", uuid: ID }]) }],
  "^d1 time-travel info": [{ stdout: JSON.stringify({ bookmark: "00000085-0000024c" }) }],
  "^deployments status": [shares([V1, 100]), shares([V2, 100])],
  "^versions list": [{ stdout: JSON.stringify([{ id: V1, number: 1 }]) }],
  "^secret list": [{ stdout: '[{"name":"APP_SECRET"}]' }],
  "^versions upload": [UPLOADED],
}

beforeEach(async () => {
  rmSync(deployment, { recursive: true, force: true })
  mkdirSync(deployment)
  writeFileSync(join(deployment, "settings.env"), `BASE_URL=${baseUrl}\nMAIL_FROM=no-reply@academy.test\n`)
  writeFileSync(join(deployment, "secrets.env"), 'APP_SECRET="a secret of the operator that is long enough"\n')
  writeFileSync(calls, "")
  ready = () => [200, '{"status":"ready"}']
  database = await account.d1.create("lectern", { id: ID })
})

interface Asked {
  call: string
  /** Whether it is about the primary entry. */
  isPrimary: boolean
  secrets?: Record<string, string | null>
}

/** Runs a script with a fake wrangler. @returns the result, and the calls of wrangler */
async function run(script: string, args: string[], given: Answers = THERE) {
  writeFileSync(answers, JSON.stringify(given))
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(root, "scripts", script), ...args],
    {
      env: {
        ...process.env,
        ...{ DEPLOYMENT: deployment, WRANGLER: fake, READY_WAITS: "5", RETRY_DELAY_MS: "5" },
        ...{ CLOUDFLARE_API_BASE_URL: account.base, CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_ACCOUNT_ID: ACCOUNT },
      },
    },
  )
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += data))
  const status = await new Promise<number | null>((done) => child.on("close", done))
  const asked = readFileSync(calls, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Asked)
  return { status, printed, asked, calls: asked.map(({ call }) => call.replace(/ --tag \S+/, "")) }
}

const log = () =>
  existsSync(join(deployment, "log.jsonl"))
    ? readFileSync(join(deployment, "log.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : []
const secretsFile = () => readFileSync(join(deployment, "secrets.env"), "utf8")
/** Whether a call only reads. */
const isLook = (call: string) => /^(whoami|d1 list|deployments status|secret list|versions list)/.test(call)
const acts = (all: string[]) => all.filter((call) => !isLook(call))
const MIGRATE = "d1 migrations apply DB --remote"
const BOOKMARK = "d1 time-travel info DB --json"

describe("npm run deploy", () => {
  it("saves a bookmark, migrates, rolls out 10%, 50% and 100%, and deploys the triggers", async () => {
    const asked: string[] = []
    ready = ({ headers }) => {
      asked.push(String(headers["cloudflare-workers-version-overrides"]))
      return [200, "{}"]
    }
    const { status, printed, calls: all } = await run("deploy/deploy.ts", ["--minutes", "0"])
    assert.equal(status, 0, printed)
    assert.deepEqual(acts(all), [
      BOOKMARK,
      MIGRATE,
      "versions upload --secrets-file SECRETS",
      `versions deploy ${V2}@10 ${V1}@90 --yes`,
      `versions deploy ${V2}@50 ${V1}@50 --yes`,
      `versions deploy ${V2}@100 --yes`,
      "triggers deploy",
    ])
    assert.deepEqual(asked, [...Array(3).fill(`lectern="${V2}"`), "undefined"])
    assert.match(printed, /bookmark before this deployment: 00000085-0000024c/)
    assert.match(printed, /Deployed and ready: http:\/\/localhost:\d+\nTo roll back: npm run rollback/)
    assert.partialDeepStrictEqual(log(), [{ did: "deploy", version: V2, before: V1, bookmark: "00000085-0000024c" }])
  })

  itInAll("creates the resources and the secret on the first deployment, and deploys all at once", async () => {
    rmSync(join(deployment, "secrets.env"))
    writeFileSync(
      join(deployment, "settings.env"),
      `BASE_URL=${baseUrl}\nMAIL_FROM=no-reply@academy.test\nNAME=academy\nLOCATION=weur\nACCOUNT_ID=${ACCOUNT}\n`,
    )
    const {
      status,
      printed,
      asked,
      calls: all,
    } = await run("deploy/deploy.ts", ["--minutes", "0"], {
      "^d1 list": [{ stdout: "[]" }, { stdout: `warning\n[{"name":"academy","uuid":"${ID}"}]` }],
      "^deployments status": [NONE, shares([V1, 100])],
    })
    assert.equal(status, 0, printed)
    const made = acts(all)
    assert.deepEqual(made.slice(0, 2), [
      "d1 create academy --location weur --update-config=false",
      "r2 bucket create academy-files --location weur --update-config=false",
    ])
    for (const queue of QUEUES)
      for (const end of ["", "-dead"]) assert.ok(made.includes(`queues create academy-${queue}${end}`), queue)
    assert.deepEqual(made.slice(-2), [MIGRATE, "deploy --secrets-file SECRETS"])
    const secret = asked.find(({ call }) => call.startsWith("deploy "))?.secrets?.APP_SECRET ?? ""
    assert.match(secret, /^[\w-]{43}$/)
    assert.equal(secretsFile(), `APP_SECRET="${secret}"\n`)
    assert.equal(statSync(join(deployment, "secrets.env")).mode & 0o777, 0o600)
    assert.ok(!printed.includes(secret))
    assert.match(printed, /npm run owner -- --email/)
  })

  itInAll("turns read replication on and reports it once", async () => {
    assert.equal(database.replication, "disabled")
    const first = await run("deploy/deploy.ts", ["--minutes", "0"])
    assert.match(first.printed, /Read replication is on/)
    assert.equal(database.replication, "auto")
    const second = await run("deploy/deploy.ts", ["--minutes", "0"])
    assert.equal(second.status, 0)
    assert.doesNotMatch(second.printed, /Read replication/)
  })

  itInAll("creates resources in a jurisdiction and refuses to change it", async () => {
    const settings = (more: string) =>
      writeFileSync(join(deployment, "settings.env"), `BASE_URL=${baseUrl}\nMAIL_FROM=no-reply@academy.test\n${more}\n`)
    settings("JURISDICTION=eu")
    database.jurisdiction = "eu"
    const {
      status,
      printed,
      calls: all,
    } = await run("deploy/deploy.ts", [], {
      "^d1 list": [{ stdout: "[]" }, THERE["^d1 list"]?.[0] ?? {}],
      "^deployments status": [NONE, shares([V1, 100])],
    })
    assert.equal(status, 0, printed)
    assert.deepEqual(acts(all).slice(0, 2), [
      "d1 create lectern --jurisdiction eu --update-config=false",
      "r2 bucket create lectern-files --jurisdiction eu --update-config=false",
    ])
    const config = readFileSync(join(root, "wrangler.deployment.toml"), "utf8")
    assert.match(config, /bucket_name = "lectern-files"\njurisdiction = "eu"/)
    assert.match(config, /\nJURISDICTION = "eu"\n/)

    for (const [made, wanted, says] of [
      [
        "eu",
        "",
        /was created with JURISDICTION=eu, but the settings have no JURISDICTION\.\nA jurisdiction cannot be changed/,
      ],
      [null, "JURISDICTION=eu", /was created with no JURISDICTION, but the settings have JURISDICTION=eu\./],
      ["us", "JURISDICTION=eu", /was created with JURISDICTION=us, but the settings have JURISDICTION=eu\./],
    ] as const) {
      database.jurisdiction = made
      settings(wanted)
      writeFileSync(calls, "")
      const refused = await run("deploy/deploy.ts", [])
      assert.equal(refused.status, 1)
      assert.match(refused.printed, says)
      assert.deepEqual(acts(refused.calls), [])
    }
  })

  it("limits the concurrent consumers of every queue", () => {
    const toml = readFileSync(join(root, "wrangler.toml"), "utf8")
    const consumers = toml.split("\n\n").filter((part) => /^\[\[(env\.production\.)?queues\.consumers\]\]/.test(part))
    assert.equal(consumers.length, 2 * QUEUES.length)
    for (const consumer of consumers) assert.match(consumer, /^max_concurrency = [2-4]$/m)
  })

  itInAll("stops at the first step that fails and reports it", async () => {
    const steps: [failing: string, last: string][] = [
      ["^whoami", "whoami --json"],
      ["^d1 time-travel info", BOOKMARK],
      ["^d1 migrations", MIGRATE],
      ["^versions upload", "versions upload --secrets-file SECRETS"],
      ["^versions deploy", `versions deploy ${V2}@10 ${V1}@90 --yes`],
      ["^triggers", "triggers deploy"],
    ]
    for (const [failing, last] of steps) {
      writeFileSync(calls, "")
      const {
        status,
        printed,
        calls: all,
      } = await run("deploy/deploy.ts", ["--minutes", "0"], {
        ...THERE,
        [failing]: [{ status: 1, stderr: "It broke." }],
      })
      assert.equal(status, 1, failing)
      assert.equal(all.at(-1), last)
      assert.match(printed, /npm run deploy again|same command again|not signed in|returned no bookmark/)
      assert.equal(log().length, failing === "^triggers" ? 1 : 0)
    }
  })

  it("rolls back when the new version is not ready", async () => {
    let answered = 0
    ready = () => (++answered > 1 ? [503, '{"message":"The schema is older."}'] : [200, "{}"])
    const { status, printed, calls: all } = await run("deploy/deploy.ts", ["--minutes", "0"])
    assert.equal(status, 1)
    assert.deepEqual(acts(all).slice(-2), [
      `versions deploy ${V2}@50 ${V1}@50 --yes`,
      `versions deploy ${V1}@100 --yes`,
    ])
    assert.match(printed, /not ready: 503 \{"message":"The schema is older."\}/)
  })

  itInAll("deploys a Durable Object migration only with --all-at-once", async () => {
    const pending = { status: 1, stderr: "This Worker has a pending Durable Object migration, which cannot be applied" }
    const refused = await run("deploy/deploy.ts", ["--minutes", "0"], { ...THERE, "^versions upload": [pending] })
    assert.equal(refused.status, 1)
    assert.match(refused.printed, /npm run deploy -- --all-at-once/)
    writeFileSync(calls, "")
    const { status, calls: all } = await run("deploy/deploy.ts", ["--all-at-once"])
    assert.equal(status, 0)
    assert.deepEqual(acts(all), [BOOKMARK, MIGRATE, "deploy --secrets-file SECRETS"])
  })

  itInAll("refuses to replace a lost secret or to interrupt another deployment", async () => {
    const split = await run("deploy/deploy.ts", ["--minutes", "0"], {
      ...THERE,
      "^deployments status": [shares([V2, 10], [V1, 90])],
    })
    assert.equal(split.status, 1)
    assert.match(split.printed, /Two versions are active/)
    rmSync(join(deployment, "secrets.env"))
    writeFileSync(calls, "")
    const lost = await run("deploy/deploy.ts", ["--minutes", "0"])
    assert.equal(lost.status, 1)
    assert.match(lost.printed, /has no APP_SECRET, but the deployment has one/)
    assert.deepEqual(acts(lost.calls), [])
  })

  itInAll("reports invalid settings before it calls wrangler", async () => {
    const cases: [text: string, says: RegExp][] = [
      ["", /BASE_URL must be the URL/],
      ["BASE_URL=https://a.test/path\nMAIL_FROM=a@b.test", /BASE_URL must be/],
      ["BASE_URL=https://a.test\nMAIL_FROM=no-reply@lectern.example", /MAIL_FROM must be/],
      ["BASE_URL=https://a.test\nMAIL_FROM=a@b.test\nBASEURL=1", /BASEURL is not a known setting/],
      ["BASE_URL=https://a.test\nMAIL_FROM=a@b.test\nLOCATION=moon", /LOCATION must be one of weur/],
      ["BASE_URL=https://a.test\nMAIL_FROM=a@b.test\nJURISDICTION=moon", /JURISDICTION must be one of eu, us, fedramp/],
      [
        "BASE_URL=https://a.test\nMAIL_FROM=a@b.test\nJURISDICTION=eu\nLOCATION=weur",
        /LOCATION cannot be combined with/,
      ],
      ["BASE_URL=https://a.test\nMAIL_FROM=a@b.test\nCUSTOM_DOMAIN=b.test", /CUSTOM_DOMAIN must be the host/],
      ["BASE_URL=https://a.test\nMAIL_FROM=a@b.test\nCONTENT_ORIGIN=c.test", /CONTENT_ORIGIN must be a different URL/],
      [
        "BASE_URL=https://a.test\nMAIL_FROM=a@b.test\nCONTENT_ORIGIN=https://a.test",
        /CONTENT_ORIGIN must be a different URL/,
      ],
      ["BASE_URL=https://a.test\nMAIL_FROM=a@b.test\nACCESS_POLICY=documented", /cannot be changed for a deployment/],
    ]
    for (const [text, says] of cases) {
      writeFileSync(join(deployment, "settings.env"), text)
      const { status, printed, calls: all } = await run("deploy/deploy.ts", ["--minutes", "0"])
      assert.equal(status, 1, text)
      assert.match(printed, says)
      assert.deepEqual(all, [])
    }
    rmSync(join(deployment, "settings.env"))
    const { printed } = await run("deploy/deploy.ts", ["--minutes", "0"])
    assert.match(printed, /Created .*settings\.env/)
    assert.ok(readFileSync(join(deployment, "settings.env"), "utf8").includes("BASE_URL="))
  })

  itInAll("routes the domains of the service and of its packages to the Worker", async () => {
    writeFileSync(
      join(deployment, "settings.env"),
      `BASE_URL=http://localhost:1\nMAIL_FROM=a@b.test\nCUSTOM_DOMAIN=localhost\nCONTENT_ORIGIN=https://content.test\n`,
    )
    await run("deploy/deploy.ts", [], { ...THERE, "^versions upload": [{ status: 1 }] })
    const config = readFileSync(join(root, "wrangler.deployment.toml"), "utf8")
    const domain = (host: string) => `{ pattern = "${host}", custom_domain = true }`
    assert.ok(config.includes(`routes = [${domain("localhost")}, ${domain("content.test")}]\nworkers_dev = false`))
    assert.match(config, /\nCONTENT_ORIGIN = "https:\/\/content\.test"\n/)
  })

  itInAll("writes a configuration that wrangler accepts", async () => {
    writeFileSync(
      join(deployment, "settings.env"),
      [
        `BASE_URL=${baseUrl}`,
        ...["MAIL_FROM=no-reply@academy.test", "NAME=academy", "DATABASE_NAME=records", `DATABASE_ID=${ID}`],
        ...[
          `ACCOUNT_ID=${ACCOUNT}`,
          "PLACEMENT=smart",
          'ACADEMY_NAME="The \\"Analytical\\" Academy"',
          "RATE_LIMIT=600",
        ],
      ].join("\n"),
    )
    await run("deploy/deploy.ts", ["--minutes", "0"])
    const out = join(folder, "out")
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(root, "node_modules/wrangler/wrangler-dist/cli.js"),
        ...[
          "deploy",
          "--dry-run",
          "--outdir",
          out,
          "--config",
          join(root, "wrangler.deployment.toml"),
          "--env",
          "production",
        ],
      ],
      { cwd: root, encoding: "utf8", env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1" } },
    )
    assert.equal(status, 0, stderr)
    assert.match(stdout, /env\.DB \(records\)/)
    assert.match(stdout, /env\.FILES \(academy-files\)/)
    assert.match(stdout, /env\.MAIL \(academy-mail\)/)
    assert.match(stdout, /env\.RATE_LIMIT \("600"\)/)
    assert.match(stdout, /env\.ENVIRONMENT \("production"\)/)
    assert.doesNotMatch(stderr, /Unexpected fields|WARNING/)
    const config = readFileSync(join(root, "wrangler.deployment.toml"), "utf8")
    assert.match(config, /dead_letter_queue = "academy-exports-dead"/)
    assert.ok(
      config.includes(`[env.production]\naccount_id = "${ACCOUNT}"\nplacement = { mode = "smart" }\nname = "academy"`),
    )
  })
})

describe("npm run rollback", () => {
  const note = (entry: object) =>
    writeFileSync(join(deployment, "log.jsonl"), `${JSON.stringify(entry)}\n`, { flag: "a" })

  it("activates the previous version and prints the bookmark of the database", async () => {
    note({ did: "deploy", version: V1, commit: "abc1234" })
    note({ did: "deploy", version: V2, before: V1, bookmark: "00000085-0000024c" })
    const { status, printed, calls: all } = await run("deploy/rollback.ts", [])
    assert.equal(status, 0, printed)
    assert.deepEqual(acts(all), [`versions deploy ${V1}@100 --yes`])
    assert.match(printed, /The database was not changed/)
    assert.match(
      printed,
      /d1 time-travel restore DB --config \S+wrangler\.deployment\.toml --env production --bookmark 00000085-0000024c/,
    )
    assert.partialDeepStrictEqual(log().at(-1), { did: "rollback", version: V1 })
  })

  itInAll("rolls back an interrupted deployment", async () => {
    note({ did: "deploy", version: V1 })
    const { calls: all } = await run("deploy/rollback.ts", [], {
      ...THERE,
      "^deployments status": [shares([V2, 10], [V1, 90])],
    })
    assert.deepEqual(acts(all), [`versions deploy ${V1}@100 --yes`])
  })

  itInAll("refuses an unknown version and one from before a secret rotation", async () => {
    assert.match((await run("deploy/rollback.ts", [])).printed, /No previous version is recorded/)
    note({ did: "deploy", version: V1, commit: "abc1234" })
    note({ did: "rotate" })
    note({ did: "deploy", version: V2, before: V1 })
    const { status, printed, calls: all } = await run("deploy/rollback.ts", [])
    assert.equal(status, 1)
    assert.match(printed, /git checkout abc1234 && npm run deploy -- --all-at-once/)
    assert.deepEqual(acts(all), [])
  })

  itInAll("reports an error of Cloudflare", async () => {
    const { status, printed } = await run("deploy/rollback.ts", ["--to", V1], {
      ...THERE,
      "^versions deploy": [{ status: 1, stderr: "The following secrets have changed [code: 10220]" }],
    })
    assert.equal(status, 1)
    assert.match(printed, /10220.*\n.*Nothing was changed/)
  })
})

describe("npm run rotate", () => {
  const OLD = "a secret of the operator that is long enough"

  it("distributes the next secret before it is used, and writes the file before each upload", async () => {
    const { status, printed, asked } = await run("deploy/rotate.ts", ["--seconds", "0"])
    assert.equal(status, 0, printed)
    const [first, second] = asked.filter(({ call }) => call === "secret bulk SECRETS").map(({ secrets }) => secrets)
    assert.equal(first?.APP_SECRET, OLD)
    const next = first?.APP_SECRET_PREVIOUS
    assert.match(String(next), /^[\w-]{43}$/)
    assert.deepEqual(second, { APP_SECRET: next, APP_SECRET_PREVIOUS: OLD })
    assert.equal(secretsFile(), `APP_SECRET="${next}"\nAPP_SECRET_PREVIOUS="${OLD}"\n`)
    assert.ok(!printed.includes(String(next)))
    assert.partialDeepStrictEqual(log(), [{ did: "rotate" }])
  })

  itInAll("keeps the new secret in the file when the upload fails, and preserves other secrets", async () => {
    writeFileSync(join(deployment, "secrets.env"), `APP_SECRET="${OLD}"\nWEBINAR_SECRET="of the provider"\n`)
    const { status, printed, asked } = await run("deploy/rotate.ts", ["--seconds", "0"], {
      ...THERE,
      "^secret bulk": [{}, { status: 1, stderr: "No network." }],
    })
    assert.equal(status, 1)
    assert.match(printed, /npm run deploy to upload them/)
    assert.match(
      secretsFile(),
      /^WEBINAR_SECRET="of the provider"\nAPP_SECRET="[\w-]{43}"\nAPP_SECRET_PREVIOUS="a secret of/,
    )
    assert.equal(asked.at(-1)?.secrets?.WEBINAR_SECRET, "of the provider")
    assert.deepEqual(log(), [])
  })

  itInAll("removes the previous secret only when nothing depends on it", async () => {
    writeFileSync(join(deployment, "secrets.env"), `APP_SECRET="${"n".repeat(43)}"\nAPP_SECRET_PREVIOUS="${OLD}"\n`)
    const counted = (since: number, c0: number): Answers => ({
      ...THERE,
      "^d1 execute": [{ stdout: JSON.stringify([{ results: [{ since, c0 }] }]).replace("}]}]", `${rest}}]}]`) }],
    })
    const rest = Array.from({ length: 20 }, (_, i) => `,"c${i + 1}":0`).join("")
    const day = 86_400_000
    const waits = await run("deploy/rotate.ts", ["--finish"], counted(Date.now() - day, 3))
    assert.equal(waits.status, 1)
    assert.match(waits.printed, / 3 {2}texts in two_factor\.secret/)
    assert.match(waits.printed, /Some data still depends on the previous secrets/)
    const early = await run("deploy/rotate.ts", ["--finish"], counted(Date.now() - 1000, 0))
    assert.equal(early.status, 1)
    assert.match(early.printed, /some {2}sessions; the last one expires at/)
    writeFileSync(calls, "")
    const done = await run("deploy/rotate.ts", ["--finish"], counted(Date.now() - day, 0))
    assert.equal(done.status, 0, done.printed)
    assert.deepEqual(done.asked.at(-1)?.secrets, { APP_SECRET_PREVIOUS: null, APP_SECRET: "n".repeat(43) })
    assert.equal(secretsFile(), `APP_SECRET="${"n".repeat(43)}"\n`)
    assert.match((await run("deploy/rotate.ts", ["--finish"])).printed, /no previous secret/)
  })

  itInAll("changes nothing while an older version is active", async () => {
    writeFileSync(join(deployment, "secrets.env"), `APP_SECRET="${"n".repeat(43)}"\nAPP_SECRET_PREVIOUS="${OLD}"\n`)
    const before = secretsFile()
    const list = JSON.stringify([V1, V2].map((id, i) => ({ id, number: i + 1 })))
    const since = JSON.stringify([{ results: [{ since: 1 }] }])
    const given = { ...THERE, "^versions list": [{ stdout: list }], "^d1 execute": [{ stdout: since }] }
    for (const args of [
      ["--seconds", "0"],
      ["--finish", "--force"],
    ]) {
      const { status, printed, calls: all } = await run("deploy/rotate.ts", args, given)
      assert.equal(status, 1)
      assert.match(printed, new RegExp(`is not the newest one[\\s\\S]*npm run rollback -- --to ${V2}`))
      assert.ok(!all.some((call) => call.startsWith("secret bulk")))
      assert.equal(secretsFile(), before)
    }
  })

  itInAll("changes nothing without the current secret or during a deployment", async () => {
    const split = await run("deploy/rotate.ts", [], { ...THERE, "^deployments status": [shares([V2, 10], [V1, 90])] })
    assert.match(split.printed, /A deployment is in progress/)
    rmSync(join(deployment, "secrets.env"))
    const lost = await run("deploy/rotate.ts", [])
    assert.match(lost.printed, /has no APP_SECRET/)
    assert.deepEqual([...acts(split.calls), ...acts(lost.calls)], [])
  })
})

describe("a deployment with a primary entry", () => {
  const [P1, P2] = ["cccccccc-0000-0000-0000-000000000001", "dddddddd-0000-0000-0000-000000000002"]
  const ofPrimary = (call: string) => `${call}.*deployment-primary`
  const BOTH: Answers = {
    [ofPrimary("^deployments status")]: [shares([P1, 100]), shares([P2, 100])],
    [ofPrimary("^versions list")]: [{ stdout: JSON.stringify([{ id: P1, number: 1 }]) }],
    [ofPrimary("^versions upload")]: [{ output: JSON.stringify({ type: "version-upload", version_id: P2 }) }],
    ...THERE,
  }
  beforeEach(() => {
    writeFileSync(
      join(deployment, "settings.env"),
      `BASE_URL=${baseUrl}\nMAIL_FROM=no-reply@academy.test\nPRIMARY_PLACEMENT=aws:eu-central-1\n`,
    )
  })
  /** The calls that act, each with the Worker that it is about. */
  const actsOf = (asked: Asked[]) =>
    asked
      .filter(({ call }) => !isLook(call) && !call.startsWith("d1 "))
      .map(({ call, isPrimary }) => `${isPrimary ? "primary: " : ""}${call.replace(/ --tag \S+/, "")}`)

  it("rolls out both Workers in the same steps, the primary entry first", async () => {
    const { status, printed, asked } = await run("deploy/deploy.ts", ["--minutes", "0"], BOTH)
    assert.equal(status, 0, printed)
    assert.deepEqual(actsOf(asked), [
      "versions upload --secrets-file SECRETS",
      "primary: versions upload --secrets-file SECRETS",
      `primary: versions deploy ${P2}@10 ${P1}@90 --yes`,
      `versions deploy ${V2}@10 ${V1}@90 --yes`,
      `primary: versions deploy ${P2}@50 ${P1}@50 --yes`,
      `versions deploy ${V2}@50 ${V1}@50 --yes`,
      `primary: versions deploy ${P2}@100 --yes`,
      `versions deploy ${V2}@100 --yes`,
      "triggers deploy",
    ])
    assert.partialDeepStrictEqual(log(), [{ version: V2, before: V1, primary: { version: P2, before: P1 } }])
  })

  itInAll("rolls back both if the new version is not ready", async () => {
    ready = () => [503, "not ready"]
    const { status, asked } = await run("deploy/deploy.ts", ["--minutes", "0"], BOTH)
    assert.equal(status, 1)
    assert.deepEqual(actsOf(asked).slice(-2), [
      `primary: versions deploy ${P1}@100 --yes`,
      `versions deploy ${V1}@100 --yes`,
    ])
  })

  itInAll("starts with the Durable Objects, then the primary entry, then its binding", async () => {
    const { status, printed, asked } = await run("deploy/deploy.ts", ["--minutes", "0"], {
      ...BOTH,
      [ofPrimary("^deployments status")]: [NONE, shares([P1, 100])],
      "^deployments status": [NONE, shares([V1, 100])],
    })
    assert.equal(status, 0, printed)
    const deploy = "deploy --secrets-file SECRETS"
    assert.deepEqual(
      actsOf(asked).filter((call) => call.endsWith(deploy)),
      [deploy, `primary: ${deploy}`, deploy],
    )
  })

  itInAll("adds the primary entry to a deployment with one Worker", async () => {
    const { status, printed, asked } = await run("deploy/deploy.ts", ["--minutes", "0"], {
      ...BOTH,
      [ofPrimary("^deployments status")]: [NONE, shares([P1, 100])],
    })
    assert.equal(status, 0, printed)
    assert.deepEqual(actsOf(asked).slice(0, 3), [
      "primary: deploy --secrets-file SECRETS",
      "versions upload --secrets-file SECRETS",
      `versions deploy ${V2}@10 ${V1}@90 --yes`,
    ])
  })

  itInAll(
    "has a primary entry that only the edge entry can call, with the Durable Objects of the edge entry",
    async () => {
      await run("deploy/deploy.ts", ["--minutes", "0"], BOTH)
      const edge = readFileSync(join(root, "wrangler.deployment.toml"), "utf8")
      const primary = readFileSync(join(root, "wrangler.deployment-primary.toml"), "utf8")
      assert.match(edge, /\nservices = \[\{ binding = "PRIMARY", service = "lectern-primary" \}\]\n/)
      assert.match(primary, /^main = "src\/primary.ts"$/m)
      const own = primary.slice(primary.indexOf("\n[env.production]\n"))
      assert.match(own, /^name = "lectern-primary"$/m)
      assert.match(own, /^workers_dev = false$/m)
      assert.match(own, /^preview_urls = false$/m)
      assert.match(own, /^placement = \{ region = "aws:eu-central-1" \}$/m)
      assert.match(own, /\[env.production.triggers\]\ncrons = \[\]/)
      assert.equal(own.match(/^script_name = "lectern"$/gm)?.length, 2)
      assert.doesNotMatch(own, /^(routes|services) = |queues\.consumers/m)
      assert.doesNotMatch(primary, /^\[\[migrations\]\]|PRIMARY"/m)
    },
  )

  itInAll("has one Worker without the setting, and refuses other places", async () => {
    const settings = (more: string) =>
      writeFileSync(join(deployment, "settings.env"), `BASE_URL=${baseUrl}\nMAIL_FROM=a@academy.test\n${more}\n`)
    settings("")
    const { asked } = await run("deploy/deploy.ts", ["--minutes", "0"])
    assert.ok(asked.every(({ isPrimary }) => !isPrimary))
    assert.doesNotMatch(readFileSync(join(root, "wrangler.deployment.toml"), "utf8"), /PRIMARY"/)
    settings("PRIMARY_PLACEMENT=mars")
    assert.match((await run("deploy/deploy.ts", [])).printed, /PRIMARY_PLACEMENT must be smart, or a cloud region/)
    settings("PRIMARY_PLACEMENT=smart\nPLACEMENT=smart")
    assert.match((await run("deploy/deploy.ts", [])).printed, /PLACEMENT cannot be combined with PRIMARY_PLACEMENT/)
  })

  itInAll("is rolled back as a whole", async () => {
    const entry = { did: "deploy", version: V2, before: V1, primary: { version: P2, before: P1 } }
    writeFileSync(join(deployment, "log.jsonl"), `${JSON.stringify(entry)}\n`)
    const { status, printed, asked } = await run("deploy/rollback.ts", [], BOTH)
    assert.equal(status, 0, printed)
    assert.deepEqual(actsOf(asked), [`versions deploy ${V1}@100 --yes`, `primary: versions deploy ${P1}@100 --yes`])
  })

  itInAll("gets the next secret in both Workers before either uses it", async () => {
    const { status, printed, asked } = await run("deploy/rotate.ts", ["--seconds", "0"], BOTH)
    assert.equal(status, 0, printed)
    const published = asked.filter(({ call }) => call.startsWith("secret bulk"))
    assert.deepEqual(
      published.map(({ isPrimary }) => isPrimary),
      [true, false, true, false],
    )
    const secrets = published.map(({ secrets: all }) => all?.APP_SECRET)
    assert.equal(secrets[0], secrets[1])
    assert.equal(secrets[2], secrets[3])
    assert.notEqual(secrets[1], secrets[2])
  })
})
