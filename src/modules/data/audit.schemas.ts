import { z } from "@hono/zod-openapi"
import { AUDIT_ACTIONS } from "../../../drizzle/audit.ts"
import { choice, id, month, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery, period } from "../../lib/input/list-query.ts"

const verb = () =>
  choice(AUDIT_ACTIONS).openapi({
    type: "string",
    enum: [...AUDIT_ACTIONS],
    description: "A verb of the lookup, in either case",
  })

/** A user's id, or a part of a name or an address. */
const person = () => z.union([id(), text(254)]).openapi({ type: "string" })

export const AUDIT_COLUMNS = ["created_at", "action", "subject", "effect_on", "performed_by"] as const

export const auditQuery = listQuery(AUDIT_COLUMNS, {
  user_id: optional(id()).openapi({
    description: "Whom it concerns: what this user did, and what was done to them",
  }),
  activityName: optional(verb()),
  dates: optional(period({ days: true })).openapi({
    description: "The first and the last day, UTC; either may be left blank",
  }),
  performedOn: optional(text(100)).openapi({ description: "A kind of record, as performedOnList has it" }),
  performed_by: optional(person()).openapi({
    description: "Who did it: a user's id, or a part of a name or an e-mail address",
  }),
}).extend({
  context: optional(text(50)).openapi({
    type: "string",
    example: "admin",
    description: "user (or learner, student): what the caller did; else all that the caller may see",
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

export const auditList = envelope(
  z
    .object({
      performed_by: z.string().openapi({ description: "The name; Anonymous where nobody was signed in" }),
      effect_on: z.string().openapi({ description: "The record's name at the time" }),
      subject: z.string().openapi({ description: "What kind of record it is", example: "course" }),
      action: z.enum(AUDIT_ACTIONS),
      created_at: z.string().openapi({ example: "Jan 05, 2026 03:04 PM" }),
      details: z
        .record(z.string(), z.unknown())
        .openapi({ description: "What it was set to, as far as that is no secret" }),
    })
    .openapi("AuditRecord"),
).extend({
  performedOnList: z.array(z.string()).openapi({ description: "The kinds of records that have been recorded" }),
})

export const verbLookup = z.array(z.object({ db_value: z.enum(AUDIT_ACTIONS), display_value: z.string() }))
export const VERBS = AUDIT_ACTIONS.map((verb) => ({ db_value: verb, display_value: verb.toUpperCase() }))
