import { type SQL, sql } from "drizzle-orm"
import type { z } from "zod"
import { cronRuns } from "../../../drizzle/schema/cron-runs.ts"
import { version } from "../../../package.json"
import { pendingBackfills } from "../../db/backfills.ts"
import { firstRow, openDatabase } from "../../db/client.ts"
import { rawStatement } from "../../db/select.ts"
import type { Bindings } from "../../env.ts"
import { now } from "../../lib/clock.ts"
import type * as schemas from "./diagnostics.schemas.ts"
import { REQUIRED_SCHEMA } from "./readiness.queries.ts"

type Diagnostics = z.infer<typeof schemas.diagnostics>

/** Variables that are shown. None may contain a secret. */
const SETTINGS = [
  ...["ENVIRONMENT", "ACCESS_POLICY", "BASE_URL", "CONTENT_ORIGIN", "APP_URL", "ACADEMY_NAME", "TIME_ZONE"],
  ...["ALLOWED_ORIGINS", "SIGN_UP", "READ_ONLY", "JURISDICTION", "SESSIONS_AFTER", "RATE_LIMIT", "RATE_WINDOW_SECONDS"],
  ...["MAX_UNUSED_FILES", "MAX_UNUSED_MB", "MAX_MEDIA_MB", "MAX_DEVICES", "MAX_RUNNING_EXPORTS", "MAX_KEPT_EXPORTS"],
  "EVENT_RETENTION_DAYS",
  ...["MAIL_FROM", "MAIL_PROVIDER", "LOG", "METER", "OUTBOUND_PRIVATE"],
]
const SECRETS = ["APP_SECRET", "APP_SECRET_PREVIOUS", "MAIL_API_KEY", "CREDENTIAL_PROVIDER_KEY", "WEBINAR_SECRET"]
const QUEUES = ["EXPORTS", "UPLOADS", "ERASURES", "JOBS", "MAIL"] as const satisfies (keyof Bindings)[]
const BINDINGS = ["DB", "FILES", "ASSETS", "CLIENTS", "WEBHOOKS", "EMAIL", "METRICS", ...QUEUES]
/** A file of every deployment. */
const ASSET = "https://assets.local/assets/logo.svg"

interface Row {
  schema: string | null
  ranAt: number | null
  failed: number | null
  backfills: string
  backupNotes: number
}

/** The state of the deployment as the Worker sees it. */
export async function getDiagnostics(env: Bindings): Promise<Diagnostics> {
  const all = env as unknown as Record<string, unknown>
  const text = (name: string) => String(all[name] ?? "")
  const nearest = openDatabase(env.DB, "first-unconstrained")
  const primary = openDatabase(env.DB, "first-primary")
  const [row, _, files, assets, queues] = await Promise.all([
    primary.batch([rawStatement<Row>(primary, diagnosticQuery())]).then(([rows]) => firstRow(rows)),
    nearest.batch([rawStatement(nearest, sql`select 1`)]),
    succeeds(() => env.FILES.head("a file that is not there")),
    succeeds(async () => (await env.ASSETS.fetch(ASSET)).ok || Promise.reject()),
    queueMetrics(env),
  ])
  return {
    service: version,
    now: now(),
    settings: Object.fromEntries(SETTINGS.map((name) => [name, text(name)])),
    secrets: Object.fromEntries(SECRETS.map((name) => [name, text(name).length])),
    bindings: Object.fromEntries(BINDINGS.map((name) => [name, all[name] !== undefined])),
    database: {
      schema: row.schema ?? "",
      wanted: REQUIRED_SCHEMA,
      bytes: primary.meter.served?.size_after ?? 0,
      primaryRegion: primary.meter.served?.served_by_region ?? null,
      readBy: nearest.meter.served?.served_by_primary === false ? "replica" : "primary",
      readRegion: nearest.meter.served?.served_by_region ?? null,
    },
    files,
    assets,
    cron: { ranAt: row.ranAt, failed: row.failed ?? 0 },
    backfills: JSON.parse(row.backfills),
    queues,
    backupNotes: row.backupNotes === 1,
  }
}

const diagnosticQuery = (): SQL => {
  const cron = (column: SQL) => sql`(select ${column} from ${cronRuns} where ${cronRuns.name} = 'sweep')`
  return sql`select
    (select name from d1_migrations order by id desc limit 1) as "schema",
    ${cron(sql`${cronRuns.ranAt}`)} as "ranAt",
    ${cron(sql`${cronRuns.failed}`)} as "failed",
    ${pendingBackfills()} as "backfills",
    exists (select 1 from sqlite_master where name = 'backup_changes') as "backupNotes"`
}

const succeeds = (run: () => Promise<unknown>): Promise<boolean> =>
  run().then(
    () => true,
    () => false,
  )

/** The backlog of each queue, if Cloudflare provides it. */
async function queueMetrics(env: Bindings): Promise<Diagnostics["queues"]> {
  const backlogs = QUEUES.map(async (name) => {
    const metrics = await env[name]?.metrics?.().catch(() => undefined)
    const oldestAt = metrics?.oldestMessageTimestamp ? Number(new Date(metrics.oldestMessageTimestamp)) : null
    return [name, { messages: metrics?.backlogCount ?? null, oldestAt }] as const
  })
  return Object.fromEntries(await Promise.all(backlogs))
}
