import { type SQL, sql } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import { webhooks } from "../../../drizzle/schema/webhooks.ts"
import type { Database } from "../../db/client.ts"
import { queueMailForQuery } from "../../db/outbox.ts"
import { rowExists } from "../../db/sql.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { originOf } from "../../lib/text/urls.ts"

/**
 * The audit row of a webhook that is disabled automatically, and the email to its creator.
 * @param hasLease the condition on a webhook that this consumer has its lease; otherwise nothing is written
 */
export function disabledNotice(
  { db, env, hasLease }: { db: Database; env: Bindings; hasLease: SQL },
  { url, createdBy }: Pick<typeof webhooks.$inferSelect, "url" | "createdBy">,
  offReason: "gone" | "failing",
) {
  const work = new UnitOfWork(db, callerAs(null, "anonymous", "job:webhooks"), env)
  const mail = queueMailForQuery(
    work,
    "webhook switched off",
    { account: offReason === "gone" ? "webhook_gone" : "webhook_failing", host: new URL(url).host },
    sql`
      select ${users.id} as user_id, ${users.email} as recipient, ${users.firstName} as name, null as secret,
        null as dedupe
      from ${users}
      where ${users.id} = ${createdBy} and not ${users.disabled} and ${rowExists(webhooks, hasLease)}`,
    { expected: 1 },
  )
  const details = JSON.stringify({ enabled: false, offReason })
  const audit = work.auditMany(
    "updated",
    "webhook",
    sql`
      select ${webhooks.id} as id, ${originOf(url)} as name, ${details} as details
      from ${webhooks}
      where ${hasLease}`,
  )
  return { statements: [...mail.statements, audit], dispatch: mail.dispatch }
}
