// npm run rollback: rolls back to an earlier version. The database is not changed.

import { fail, flags } from "../lib/cli.ts"
import {
  activeVersions,
  appendLog,
  DEPLOYMENT_VARIABLE,
  readinessError,
  readLog,
  requireDeployment,
} from "../lib/deployment.ts"
import { writePrimaryConfig } from "../lib/primary.ts"
import { wrangler } from "../lib/wrangler.ts"

const values = flags(
  "npm run rollback",
  "Rolls back to an earlier version. The database is not changed: each version works with the next one's schema.",
  {
    to: {
      type: "string",
      value: "version",
      default: "",
      about: "the version ID (default: the version before the last deployment)",
    },
  },
  DEPLOYMENT_VARIABLE,
)

const { settings, flags: where } = requireDeployment()
const now = activeVersions(where)
if (!now) fail("Nothing is deployed yet. Run npm run deploy.")
const log = readLog()
const last = log.findLast(({ did, before }) => did === "deploy" && before !== undefined)
// During a deployment, the previous version is the last one in the log.
const served = log.findLast(({ version }) => version !== undefined)?.version
const target = values.to || (now.length > 1 ? served : last?.before)
if (!target)
  fail("No previous version is recorded. Pick one from npx wrangler versions list: npm run rollback -- --to <id>")

// A version keeps its secrets: it could not decrypt data that was encrypted after a rotation.
const since = log.findIndex(({ version }) => version === target)
if (log.slice(since + 1).some(({ did }) => did === "rotate"))
  fail(`APP_SECRET was rotated after that version was deployed, and a version keeps the secrets it was deployed with.
Redeploy its commit with the current secrets instead:

  git checkout ${log[since]?.commit ?? "<commit>"} && npm run deploy -- --all-at-once`)

function deployVersion(version: string, at: string[], ifRefused: string) {
  const { status, stdout, stderr } = wrangler(["versions", "deploy", `${version}@100`, "--yes", ...at])
  if (status !== 0)
    fail(`${stdout}${stderr}\n${ifRefused} If secrets changed since then, redeploy that version's commit.`)
}

/** The primary entry's version of the same deployment. It also serves edge entries of the next and previous version. */
const primaryFlags = writePrimaryConfig(settings)
const primaryTarget =
  log.findLast(({ version, primary }) => version === target && primary)?.primary?.version ??
  (target === last?.before ? last.primary?.before : undefined)
deployVersion(target, where, "Nothing was changed.")
if (primaryFlags && primaryTarget)
  deployVersion(primaryTarget, primaryFlags, "The edge entry was rolled back, the primary entry was not.")
appendLog({
  did: "rollback",
  version: target,
  ...(now[0] && { before: now[0].version_id }),
  ...(primaryFlags && primaryTarget && { primary: { version: primaryTarget } }),
})
const why = await readinessError(settings)
console.info(`Version ${target} serves all traffic.${why === undefined ? " It is ready." : ` Not ready: ${why}`}`)
if (last?.bookmark)
  console.info(`
The database was not changed. To restore its data and lose everything since that deployment:

  npx wrangler d1 time-travel restore DB ${where.join(" ")} --bookmark ${last.bookmark}`)
if (why !== undefined) process.exit(1)
