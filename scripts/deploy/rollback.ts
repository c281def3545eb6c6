// npm run rollback: has an earlier version serve again. The database stays as it is.

import { fail, flags } from "../lib/cli.ts"
import {
  activeVersions,
  appendLog,
  DEPLOYMENT_VARIABLE,
  readinessError,
  readLog,
  requireDeployment,
} from "../lib/deployment.ts"
import { wrangler } from "../lib/wrangler.ts"

const values = flags(
  "npm run rollback",
  "Has an earlier version serve again. The database stays as it is: every version works with the next one's schema.",
  {
    to: {
      type: "string",
      value: "version",
      default: "",
      about: "its id; the version before the last deployment if left out",
    },
  },
  DEPLOYMENT_VARIABLE,
)

const { settings, flags: where } = requireDeployment()
const now = activeVersions(where)
if (!now) fail("Nothing is deployed yet: npm run deploy")
const log = readLog()
const last = log.findLast(({ did, before }) => did === "deploy" && before !== undefined)
// In the middle of a deployment, the version before is the one with the log's last word.
const served = log.findLast(({ version }) => version !== undefined)?.version
const target = values.to || (now.length > 1 ? served : last?.before)
if (!target)
  fail(
    "No version before this one is known here. Name one of npx wrangler versions list: npm run rollback -- --to <id>",
  )

// A version has the secrets of its time: what was sealed since a rotation would be unreadable to it.
const since = log.findIndex(({ version }) => version === target)
if (log.slice(since + 1).some(({ did }) => did === "rotate"))
  fail(`The secret was rotated since that version was deployed, and a version has the secrets of its time.
Deploy its commit anew instead, with the secrets of now:

  git checkout ${log[since]?.commit ?? "<commit>"} && npm run deploy -- --all-at-once`)

const { status, stdout, stderr } = wrangler(["versions", "deploy", `${target}@100`, "--yes", ...where])
if (status !== 0)
  fail(`${stdout}${stderr}\nNothing was changed. If secrets changed since, deploy that version's commit anew.`)
appendLog({ did: "rollback", version: target, ...(now[0] && { before: now[0].version_id }) })
const why = await readinessError(settings)
console.info(
  `Version ${target} serves every request again.${why === undefined ? " It is ready." : ` Not ready: ${why}`}`,
)
if (last?.bookmark)
  console.info(`
The database stays as it is. Only if its data were damaged, and everything since that deployment may be lost:

  npx wrangler d1 time-travel restore DB ${where.join(" ")} --bookmark ${last.bookmark}`)
if (why !== undefined) process.exit(1)
