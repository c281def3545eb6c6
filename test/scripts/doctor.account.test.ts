// The doctor's findings about a Cloudflare account, with faults in the stand-in of Cloudflare's API.
// npm run test.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { accountChecks } from "../../scripts/deploy/doctor/account.ts"
import { type Facts, fetchAccount } from "../../scripts/deploy/doctor/facts.ts"
import { cloudflareApi } from "../../scripts/lib/cloudflare.ts"
import { type DeployedAccount, deployedAccount, QUEUES } from "./cloudflare/account.ts"
import { ACCOUNT, TOKEN } from "./cloudflare/api.ts"
import { newScript } from "./cloudflare/workers.ts"

const DATABASE = "11111111-2222-3333-4444-555555555555"

/** What the doctor finds, a line or two each. */
async function found(
  plant: (there: DeployedAccount) => unknown,
  jurisdiction?: string,
  ofWorker = jurisdiction,
  values: Record<string, string> = {},
) {
  const there = await deployedAccount("academy", DATABASE, ["APP_SECRET"])
  const settings = {
    ...{ name: "academy", database: "academy", bucket: "academy-files", location: undefined, jurisdiction, values },
    ...{ queues: QUEUES.flatMap((kind) => [`academy-${kind}`, `academy-${kind}-dead`]), baseUrl: "https://a.test" },
  }
  plant(there)
  try {
    const api = cloudflareApi({ token: TOKEN, account: ACCOUNT, base: there.account.base })
    const account = await fetchAccount(api, settings, DATABASE, ["APP_SECRET"])
    const diagnostics = { settings: { JURISDICTION: ofWorker ?? "" } }
    const facts = { account, diagnostics } as unknown as Facts
    return accountChecks
      .flatMap((check) => check(facts) ?? [])
      .map((finding) => `${finding.level} ${finding.message}\n${finding.level === "ok" ? "" : finding.fix}`)
  } finally {
    await there.close()
  }
}

const inAccount: [what: string, plant: (there: DeployedAccount) => unknown, says: RegExp, jurisdiction?: string][] = [
  [
    "read replication that is off",
    ({ database }) => (database.replication = "disabled"),
    /wrong Read replication is off\nRun npm run deploy/,
  ],
  [
    "another jurisdiction",
    ({ account, database }) => {
      database.jurisdiction = "us"
      account.r2.add("academy-files", "eu")
    },
    /wrong The jurisdiction is eu in the settings, us for the database and eu for the Worker/,
    "eu",
  ],
  [
    "a bucket outside of the jurisdiction",
    ({ database }) => (database.jurisdiction = "eu"),
    /wrong There is no bucket academy-files in the jurisdiction eu/,
    "eu",
  ],
  ["no bucket", ({ account }) => account.r2.delete("academy-files"), /wrong There is no bucket academy-files\n/],
  [
    "no queue",
    ({ account }) => account.queues.delete("academy-mail-dead"),
    /wrong There is no queue academy-mail-dead/,
  ],
  ["no consumer", ({ queue }) => (queue("mail").consumers = []), /wrong The queue academy-mail has no consumer/],
  [
    "another Worker's consumer",
    ({ queue }) => Object.assign(queue("mail").consumers[0] ?? {}, { script: "other" }),
    /wrong Another Worker consumes academy-mail: other/,
  ],
  [
    "a delivery that is paused",
    ({ queue }) => (queue("exports").settings.delivery_paused = true),
    /wrong The delivery of academy-exports is paused\nnpx wrangler queues resume-delivery/,
  ],
  [
    "consumers without a limit",
    ({ queue }) => Object.assign(queue("uploads").consumers[0] ?? {}, { settings: {} }),
    /wrong academy-uploads has no limit on concurrent consumers/,
  ],
  [
    "messages that failed every retry",
    ({ queue }) => (queue("exports-dead").backlog = 3),
    /note 3 messages failed every retry: academy-exports-dead/,
  ],
  ["no cron", ({ script }) => (script.schedules = []), /wrong No cron is set/],
  ["observability that is off", ({ script }) => (script.settings = {}), /wrong Observability is off/],
  ["a small CPU limit", ({ script }) => (script.limits = {}), /wrong The CPU limit is the default of 30 seconds/],
  [
    "a secret that the Worker does not know",
    ({ script }) => script.secrets.clear(),
    /wrong The Worker is missing secrets from deployment\/secrets\.env: APP_SECRET/,
  ],
  [
    "a secret that the operator does not have",
    ({ script }) => script.secrets.set("MAIL_API_KEY", "k"),
    /wrong deployment\/secrets\.env is missing secrets of the Worker: MAIL_API_KEY/,
  ],
  [
    "a deployment that was stopped",
    ({ script }) => script.deployments[0]?.versions.push({ version_id: "w", percentage: 0 }),
    /wrong Two versions are active/,
  ],
  [
    "no Worker",
    ({ account }) => account.workers.scripts.clear(),
    /wrong There is no Worker academy\nRun npm run deploy/,
  ],
]

describe("account checks of npm run doctor", () => {
  it("reports no problem for a correct account", async () => {
    const lines = await found(() => {})
    assert.deepEqual(
      lines.filter((line) => !line.startsWith("ok ")),
      [],
    )
    assert.equal(lines.length, 8)
  })

  for (const [what, plant, says, jurisdiction] of inAccount)
    it(`reports ${what}`, async () => assert.match((await found(plant, jurisdiction)).join("\n"), says))

  it("reports a Worker with another jurisdiction", async () => {
    const plant = ({ account, database }: DeployedAccount) => {
      database.jurisdiction = "eu"
      account.r2.add("academy-files", "eu")
    }
    assert.doesNotMatch((await found(plant, "eu")).join("\n"), /wrong/)
    assert.match((await found(plant, "eu", "")).join("\n"), /wrong The jurisdiction is eu [\s\S]* none for the Worker/)
  })

  it("reports a primary entry that is missing, lacks a secret, or is not bound", async () => {
    const check = async (plant: (there: DeployedAccount) => unknown) =>
      (await found(plant, undefined, undefined, { PRIMARY_PLACEMENT: "smart" })).join("\n")
    const add = ({ account }: DeployedAccount, secrets: [string, string][]) =>
      account.workers.scripts.set("academy-primary", { ...newScript(), secrets: new Map(secrets) })
    const bind = ({ script }: DeployedAccount, service: string) =>
      Object.assign(script, { versions: [{ metadata: { bindings: [{ type: "service", name: "PRIMARY", service }] } }] })
    assert.match(await check(() => {}), /wrong There is no Worker academy-primary, which runs changes/)
    assert.match(
      await check((there) => add(there, [])),
      /wrong The Worker academy-primary is missing secrets: APP_SECRET/,
    )
    const secret: [string, string] = ["APP_SECRET", "x".repeat(43)]
    assert.match(await check((there) => add(there, [secret])), /wrong The Worker academy has no binding PRIMARY/)
    const bound = await check((there) => {
      add(there, [secret])
      bind(there, "academy-primary")
    })
    assert.match(bound, /ok Changes run near the database, in academy-primary/)
    assert.doesNotMatch(bound, /wrong/)
  })

  it("does not report a bucket as missing when the token cannot read it", async () => {
    const refused = ({ account }: DeployedAccount) => account.refuse(/\/r2\/buckets/)
    const lines = (await found(refused)).join("\n")
    assert.match(lines, /note A Cloudflare check failed: Cloudflare rejected GET \/r2\/buckets\/academy-files: 403/)
    assert.doesNotMatch(lines, /There is no bucket/)
  })
})
