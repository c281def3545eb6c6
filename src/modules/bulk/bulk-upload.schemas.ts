import { z } from "@hono/zod-openapi"
import { UPLOAD_MODES, UPLOAD_STATUSES } from "../../../drizzle/schema/bulk-uploads.ts"
import { tooLarge } from "../../lib/errors.ts"
import { boolean, choice, file, id, ids, line, optional } from "../../lib/input/input.ts"
import { fromJson } from "../../lib/text/json.ts"
import { metaValue } from "../users/custom-fields.schemas.ts"

/** The limit of a JSON body and of a file. */
export const MAX_BYTES = 5_000_000
export const MAX_ROWS = 5000
/** Each row is enrolled in each course and class. */
const MAX_COURSES = 50
const MAX_CLASSES = 50
/** Includes the field names and boundaries of a form. */
export const FORM_BYTES = MAX_BYTES + 100_000

const target = {
  groupId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Everyone joins this group" }),
  selectedCourses: optional(ids(MAX_COURSES)).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    maxItems: MAX_COURSES,
    description: "Everyone is enrolled in these courses",
  }),
  membershipId: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: "New users are given this membership; admins and above only",
  }),
  classIds: optional(ids(MAX_CLASSES)).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    maxItems: MAX_CLASSES,
    description: "Everyone is enrolled in these classes; one that has ended or is disabled: 409",
  }),
  user_source_id: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: "An extension: the source of the new users, of /api/user-source; Bulk upload unless given",
  }),
  mode: optional(choice(UPLOAD_MODES)).openapi({
    type: "string",
    enum: [...UPLOAD_MODES],
    description:
      "An extension: what happens to existing users, found by email address or external id. create, the default: " +
      "they are enrolled and not changed; update: they are changed, and other rows fail; upsert: they are changed, " +
      "and other rows create users",
  }),
  externalIdSource: optional(line(100)).openapi({
    type: "string",
    maxLength: 100,
    description: "An extension: the source of the column external_id. Defaults to the calling API key, or to `manual`",
  }),
  dryRun: optional(boolean()).openapi({
    type: "boolean",
    description: "An extension: validates the upload without changes",
  }),
}

/** Counts the rows before their validation: a body of 5 MB can have a million. @throws 413 */
function readList(value: unknown, context: z.RefinementCtx): unknown {
  const list = fromJson(value, context)
  if (Array.isArray(list) && list.length > MAX_ROWS)
    throw tooLarge(`userList has more than ${MAX_ROWS} rows. Split it.`)
  return list
}

export const userListUpload = z
  .object({
    userList: z.preprocess(readList, z.array(z.record(z.string(), metaValue)).min(1)).openapi({
      type: "array",
      maxItems: MAX_ROWS,
      items: {
        type: "object",
        properties: {
          email: { type: "string", format: "email" },
          first_name: { type: "string" },
          last_name: { type: "string" },
          password: { type: "string", format: "password", description: "Blank: a link to choose one is sent by mail" },
          external_id: { type: "string", maxLength: 255, description: "The user's id in another system" },
        },
        description: "Custom fields by key or label",
        additionalProperties: { $ref: "#/components/schemas/CustomFieldValue" },
      },
    }),
    ...target,
  })
  .openapi("BulkUpload")
export type UserListUpload = z.output<typeof userListUpload>

export const spreadsheetUpload = z
  .object({ file: file().openapi({ description: "xlsx or csv, up to 5 MB and 5,000 rows" }), ...target })
  .openapi("BulkUploadSpreadsheet")
export type SpreadsheetUpload = z.output<typeof spreadsheetUpload>

export type Target = Omit<UserListUpload, "userList">

const counts = {
  message: z.string(),
  upload_id: z.number().int().nullable().openapi({ description: "The ID for the progress; null for a dry run" }),
  status: z.enum(UPLOAD_STATUSES),
  progress: z.number().int().min(0).max(100).openapi({ description: "Percent of the rows; never decreases" }),
  created: z.number().int(),
  existing: z.number().int().openapi({ description: "Rows of existing users, who are enrolled but not changed" }),
  updated: z.number().int().openapi({ description: "Rows whose users were changed" }),
  failed: z.number().int(),
  skippedCourses: z.number().int().openapi({ description: "The number of unknown IDs in selectedCourses" }),
  skippedClasses: z.number().int().openapi({ description: "The number of unknown IDs in classIds" }),
  errors: z
    .array(
      z.object({
        row: z
          .number()
          .int()
          .openapi({ description: "The number in the sheet, whose header is row 1, or in userList, from 1" }),
        email: z.string(),
        reasons: z.array(z.string()),
      }),
    )
    .openapi({ description: "One for each row that failed" }),
  rows: z
    .array(
      z.object({
        row: z.number().int(),
        id: z.number().int().nullable().openapi({ description: "The user; null: failed, or a dry run creates it" }),
        result: z.enum(["created", "updated", "existing", "failed"]),
      }),
    )
    .openapi({ description: "What became of each row, as far as the upload has processed it" }),
}

export const uploadAnswer = z
  .object({
    ...counts,
    dryRun: z.boolean().openapi({ description: "true: nothing was changed" }),
  })
  .openapi("BulkUploadAnswer")
export type UploadAnswer = z.output<typeof uploadAnswer>

export const uploadState = z.object({ ...counts, upload_id: z.number().int() }).openapi("BulkUploadProgress")

export const uploadSample = z.object({
  headers: z.array(z.string()),
  records: z.array(z.record(z.string(), z.string())),
})
