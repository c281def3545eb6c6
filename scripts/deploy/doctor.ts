// npm run doctor: asks a deployment everything that may differ from a developer's machine, and says what is wrong.

import { fail, flags } from "../lib/cli.ts"
import { cloudflareApi, credentials } from "../lib/cloudflare.ts"
import { DEPLOYMENT_VARIABLE, findDatabaseId, hasSettings, readSecrets, readSettings } from "../lib/deployment.ts"
import { runChecks } from "./doctor/checks.ts"
import { type Account, fetchAccount, gatherFacts } from "./doctor/facts.ts"

const values = flags(
  "npm run doctor",
  "Asks a deployment everything that may differ from a developer's machine, and says what is wrong and what to do.",
  {
    url: { type: "string", value: "address", default: "", about: "its address; BASE_URL of the settings if left out" },
    token: { type: "string", default: "", about: "an administrator's session token or API key; TOKEN if left out" },
  },
  { TOKEN: "as --token, which others may read in a list of processes", ...DEPLOYMENT_VARIABLE },
)

/** The deployment that is set up here, where it is the one that is asked. */
const own = hasSettings() ? readSettings() : undefined
const address = values.url || own?.baseUrl || fail("Name the deployment: npm run doctor -- --url https://…", 2)
if (!URL.canParse(address)) fail("--url must be an address, such as https://academy.example.org.", 2)
const url = new URL(address)

let account: Account | undefined
if (own && new URL(own.baseUrl).origin === url.origin)
  account = await fetchAccount(
    cloudflareApi(credentials(own.values.ACCOUNT_ID)),
    own,
    findDatabaseId(own),
    Object.keys(readSecrets()),
  )

const findings = runChecks(await gatherFacts(url, values.token || process.env.TOKEN || "", account))
const MARKS = { ok: "ok   ", note: "note ", wrong: "WRONG" }
console.info(`The service at ${url.origin}`)
for (const finding of findings) {
  console.info(`  ${MARKS[finding.level]}  ${finding.message.replace(/\.$/, "")}.`)
  if (finding.level !== "ok") console.info(`         ${finding.fix}`)
}
if (!account) console.info("  Cloudflare was not asked: no deployment with this address is set up here.")
const wrong = findings.filter(({ level }) => level === "wrong").length
console.info(wrong === 0 ? "\nNothing is wrong." : `\n${wrong} of ${findings.length} are wrong.`)
process.exit(wrong === 0 ? 0 : 1)
