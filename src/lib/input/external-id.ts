import { z } from "@hono/zod-openapi"
import { clearable, line, optional } from "./input.ts"

// External ids in requests and responses. src/db/external-ids.ts reads and writes them.

const MAX_EXTERNAL_ID = 255
const externalId = () => line(MAX_EXTERNAL_ID)

const source = () =>
  optional(line(100)).openapi({
    type: "string",
    maxLength: 100,
    example: "workday",
    description:
      "An extension: the system that externalId comes from. Defaults to the calling API key (`key:7`), or to " +
      "`manual` for people",
  })

/** The fields in the body of a create request. */
export const newExternalId = () => ({
  externalId: optional(externalId()).openapi({
    type: "string",
    maxLength: MAX_EXTERNAL_ID,
    description: "An extension: the record's id in another system, unique for each externalIdSource",
  }),
  externalIdSource: source(),
})

/** The fields in the body of a change. */
export const changedExternalId = () => ({
  externalId: clearable(externalId()).openapi({
    type: ["string", "null"],
    maxLength: MAX_EXTERNAL_ID,
    description: "An extension: the record's id in another system; null removes that of externalIdSource",
  }),
  externalIdSource: source(),
})

/** What a create request or a change sends. */
export interface ExternalIdInput {
  externalId?: string | null | undefined
  externalIdSource?: string | undefined
}

/** The filter of a list. */
export const externalIdFilter = () => ({
  externalId: optional(externalId()).openapi({
    type: "string",
    maxLength: MAX_EXTERNAL_ID,
    description: "An extension: only the record with this external id; staff and above",
  }),
  externalIdSource: source(),
})

/** The query of a `by-external-id` operation. */
export const externalIdQuery = z.object({
  externalId: externalId()
    .pipe(z.string().min(1))
    .openapi({ type: "string", maxLength: MAX_EXTERNAL_ID, example: "E-1043", param: { required: true } }),
  externalIdSource: source(),
})

/** The fields in the details of a record. */
export const externalIdAnswer = () => ({
  externalId: z.string().nullable().openapi({
    description: "An extension: the record's id in the caller's system (see externalIdSource); null below staff",
  }),
  externalIds: z
    .array(z.object({ source: z.string(), externalId: z.string() }))
    .openapi({ description: "An extension: the record's ids in all systems; empty below staff" }),
})
