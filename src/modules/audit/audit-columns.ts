import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { AUDIT_ACTIONS, auditLogs } from "../../../drizzle/schema/audit.ts"
import { actorName, textList } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers, hasRole } from "../../lib/caller.ts"
import { json } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"

const performerName = actorName(auditLogs.performedBy)

/** Subjects whose records only administrators can see, as in the lists of billing. */
const BILLING_SUBJECTS = new Set(["card", "cart", "order", "subscription"])

/** Whether the caller can see the row's name and details, as they can in the record itself. */
const mayRead = (caller: Caller, { subject, performedBy }: { subject: string; performedBy: number | null }) =>
  !BILLING_SUBJECTS.has(subject) || hasRole(caller, "admin") || performedBy === caller.id

/** The columns that decide who can see a row. */
const visibility = { subject: auditLogs.subject, performedBy: auditLogs.performedBy }

/** The columns of the audit log, as visible to the caller. */
export const auditColumns = listColumns({
  performed_by: column(
    { id: auditLogs.performedBy, name: performerName },
    z.string().openapi({ description: "The user's name; Anonymous without a session" }),
    {
      // The current name while the user exists.
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
    { ...visibility, effectOn: auditLogs.effectOn },
    z.string().openapi({ description: "The name of the record at the time" }),
    {
      show: (row, caller: Caller) => (mayRead(caller, row) ? row.effectOn : row.subject),
      sort: { sorted: sql`${auditLogs.effectOn} collate nocase` },
    },
  ),
  subject: column(auditLogs.subject, z.string().openapi({ description: "The type of the record", example: "course" }), {
    sort: { sorted: auditLogs.subject },
  }),
  action: column(auditLogs.action, z.enum(AUDIT_ACTIONS), { sort: { sorted: auditLogs.action } }),
  created_at: dateTimeColumn(auditLogs.createdAt, auditLogs.id),
  details: column(
    { ...visibility, details: auditLogs.details },
    z.record(z.string(), json()).openapi({ description: "The new values, except secrets" }),
    {
      show: ({ details, ...row }, caller: Caller) => {
        if (!mayRead(caller, row)) return {}
        const { internalNote: _, ...forSupervisors } = details
        return canSeeAllUsers(caller) ? details : forSupervisors
      },
    },
  ),
})

/** The sort expressions of the audit log, based on what the caller can see. */
export const auditSort = (caller: Caller) => ({
  ...auditColumns.sort,
  effect_on: {
    sorted: hasRole(caller, "admin")
      ? sql`${auditLogs.effectOn} collate nocase`
      : sql`iif(
          ${auditLogs.subject} in ${textList([...BILLING_SUBJECTS])} and ${auditLogs.performedBy} is not ${caller.id},
          ${auditLogs.subject},
          ${auditLogs.effectOn}
        ) collate nocase`,
  },
})
