import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { AUDIT_ACTIONS, auditLogs } from "../../../drizzle/schema/audit.ts"
import { actorName, textList } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers, hasRole } from "../../lib/caller.ts"
import { json } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"

const performerName = actorName(auditLogs.performedBy)

/** What of others is an administrator's alone to see, as in its own lists. */
const MONEY = new Set(["card", "cart", "order", "subscription"])

/** Whether the row's name and details are for the caller, as they are in the record itself. */
const mayRead = (caller: Caller, { subject, performedBy }: { subject: string; performedBy: number | null }) =>
  !MONEY.has(subject) || hasRole(caller, "admin") || performedBy === caller.id

/** What a row is about, and who made it: what decides who may read it. */
const about = { subject: auditLogs.subject, performedBy: auditLogs.performedBy }

/** The columns of the audit log, as far as the caller may read them. */
export const auditColumns = listColumns({
  performed_by: column(
    { id: auditLogs.performedBy, name: performerName },
    z.string().openapi({ description: "The name; Anonymous where nobody was signed in" }),
    {
      // A name, as long as the user is there.
      show: ({ id, name }) => (id === null ? "Anonymous" : (name ?? `Deleted user ${id}`)),
      sort: {
        sorted: sql`iif(
          ${auditLogs.performedBy} is null,
          'Anonymous',
          coalesce(${performerName}, 'Deleted user ' || ${auditLogs.performedBy})
        ) collate nocase`,
      },
    },
  ),
  effect_on: column(
    { ...about, effectOn: auditLogs.effectOn },
    z.string().openapi({ description: "The record's name at the time" }),
    {
      show: (row, caller: Caller) => (mayRead(caller, row) ? row.effectOn : row.subject),
      sort: { sorted: sql`${auditLogs.effectOn} collate nocase` },
    },
  ),
  subject: column(
    auditLogs.subject,
    z.string().openapi({ description: "What kind of record it is", example: "course" }),
    { sort: { sorted: auditLogs.subject } },
  ),
  action: column(auditLogs.action, z.enum(AUDIT_ACTIONS), { sort: { sorted: auditLogs.action } }),
  created_at: dateTimeColumn(auditLogs.createdAt, auditLogs.id),
  details: column(
    { ...about, details: auditLogs.details },
    z.record(z.string(), json()).openapi({ description: "What it was set to, as far as that is no secret" }),
    {
      show: ({ details, ...row }, caller: Caller) => {
        if (!mayRead(caller, row)) return {}
        const { internalNote: _, ...forSupervisors } = details
        return canSeeAllUsers(caller) ? details : forSupervisors
      },
    },
  ),
})

/** What each order of the audit log sorts by, for this caller: as `mayRead` shows it. */
export const auditSort = (caller: Caller) => ({
  ...auditColumns.sort,
  effect_on: {
    sorted: hasRole(caller, "admin")
      ? sql`${auditLogs.effectOn} collate nocase`
      : sql`iif(
          ${auditLogs.subject} in ${textList([...MONEY])} and ${auditLogs.performedBy} is not ${caller.id},
          ${auditLogs.subject},
          ${auditLogs.effectOn}
        ) collate nocase`,
  },
})
