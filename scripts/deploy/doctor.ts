// npm run doctor: checks a deployment and prints how to fix each problem.

import { fail, flags } from "../lib/cli.ts"
import { cloudflareApi, credentials } from "../lib/cloudflare.ts"
import { DEPLOYMENT_VARIABLE, findDatabaseId, hasSettings, readSecrets, readSettings } from "../lib/deployment.ts"
import { runChecks } from "./doctor/checks.ts"
import { type Account, fetchAccount, gatherFacts } from "./doctor/facts.ts"
import { reportLines } from "./doctor/finding.ts"

const values = flags(
  "npm run doctor",
  "Checks a deployment's settings, bindings, queues, cron and account, and prints how to fix each problem.",
  {
    url: {
      type: "string",
      value: "address",
      default: "",
      about: "the deployment's URL (default: BASE_URL in settings.env)",
    },
    token: { type: "string", default: "", about: "an administrator's session token or API key (default: TOKEN)" },
  },
  { TOKEN: "same as --token, but not visible in the process list", ...DEPLOYMENT_VARIABLE },
)

/** The settings of the deployment in this folder, if there is one. */
const own = hasSettings() ? readSettings() : undefined
const address = values.url || own?.baseUrl || fail("Specify a deployment: npm run doctor -- --url https://…", 2)
if (!URL.canParse(address)) fail("--url must be a URL, such as https://academy.example.org.", 2)
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
console.info(`The service at ${url.origin}`)
for (const line of reportLines(findings)) console.info(line)
if (!account) console.info("  Account checks were skipped: this URL is not a deployment in the DEPLOYMENT folder.")
const wrong = findings.filter(({ level }) => level === "wrong").length
console.info(wrong === 0 ? "\nAll checks passed." : `\n${wrong} of ${findings.length} checks failed.`)
process.exit(wrong === 0 ? 0 : 1)
