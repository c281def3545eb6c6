import { z } from "@hono/zod-openapi"
import { AUDIT_ACTIONS } from "../../../drizzle/schema/audit.ts"
import { choice, id, month, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse, period } from "../../lib/input/list-query.ts"
import { context } from "../users/contexts.ts"
import { auditColumns } from "./audit-columns.ts"

const verb = () =>
  choice(AUDIT_ACTIONS).openapi({
    type: "string",
    enum: [...AUDIT_ACTIONS],
    description: "An action of the lookup, in any case",
  })

/** A user's id, or part of a name or email address. */
const person = () => z.union([id(), text(254)]).openapi({ type: "string" })

export const auditQuery = listQuery(Object.keys(auditColumns.sort), {
  user_id: optional(id()).openapi({
    description: "Rows that this user created or that affect this user",
  }),
  activityName: optional(verb()),
  dates: optional(period({ days: true })).openapi({
    description: "The first and the last day (UTC); either can be blank",
  }),
  performedOn: optional(text(100)).openapi({ description: "A record type from performedOnList" }),
  performed_by: optional(person()).openapi({
    description: "The user who performed the action: an id, or part of a name or email address",
  }),
}).extend({
  context: optional(context()).openapi({
    type: "string",
    example: "admin",
    description: "user (or learner, student): only the caller's actions; otherwise all visible rows",
    param: { required: false },
  }),
  selectedMonth: optional(month()).openapi({
    type: "string",
    example: "November 2026",
    description: "Only this month: November 2026, Nov 2026 or 2026-11",
    param: { required: false },
  }),
})
export type AuditQuery = z.output<typeof auditQuery>

export const auditList = listResponse(auditColumns.row.openapi("AuditRecord")).extend({
  performedOnList: z.array(z.string()).openapi({ description: "The record types in the log" }),
})

export const verbLookup = z.array(z.object({ db_value: z.enum(AUDIT_ACTIONS), display_value: z.string() }))
export const VERBS = AUDIT_ACTIONS.map((verb) => ({ db_value: verb, display_value: verb.toUpperCase() }))
