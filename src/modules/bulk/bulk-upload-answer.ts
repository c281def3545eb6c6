import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"
import { pluralize } from "../../lib/text/words.ts"
import type { FieldDefinition } from "../users/custom-field-values.ts"
import type { UploadAnswer } from "./bulk-upload.schemas.ts"
import type { ParsedUpload, UploadRow } from "./bulk-upload-rows.ts"
import type { BulkUploadTarget } from "./bulk-upload-seats.ts"
import { rowResults, type UploadResults } from "./bulk-upload-validation.ts"

const RETENTION_MS = 7 * DAY

export interface Source {
  name: string
  baseUrl: string
  read(fields: readonly FieldDefinition[]): ParsedUpload
}

interface Skipped {
  skippedCourses: number
  skippedClasses: number
}

export const skippedNotes = ({ skippedCourses, skippedClasses }: Skipped) => [
  ...(skippedCourses > 0 ? [` ${pluralize(skippedCourses, "unknown course")} skipped.`] : []),
  ...(skippedClasses > 0 ? [` ${pluralize(skippedClasses, "unknown class", "unknown classes")} skipped.`] : []),
]

export interface PreparedUpload {
  places: BulkUploadTarget
  source: Source
  rows: UploadRow[]
  notes: string[]
  /** The number of unknown IDs. */
  skipped: Skipped
}

export const uploadValues = (work: UnitOfWork, id: number, { places, source, rows, skipped }: PreparedUpload) => ({
  id,
  client: work.caller.client,
  callerId: work.caller.id,
  callerType: work.caller.userType,
  name: source.name,
  baseUrl: source.baseUrl,
  ...places,
  ...skipped,
  rows: rows.length,
  createdAt: now(),
  expiresAt: now() + RETENTION_MS,
})

export const auditUpload = (work: UnitOfWork, id: number, { places, source, rows }: PreparedUpload) =>
  work.audit("created", "bulk upload", { id, name: source.name }, { rows: rows.length, ...places })

export function toAnswer(
  uploadId: number | null,
  results: UploadResults,
  { notes, skipped }: PreparedUpload,
  firstId: number | undefined,
): UploadAnswer {
  const { newUsers, existing, updates, errors } = results
  const counts = {
    created: newUsers.length,
    existing: existing.length,
    updated: updates.length,
    failed: errors.length,
  }
  return {
    message: `${summary(counts, uploadId === null)}${notes.join("")}`,
    upload_id: uploadId,
    dryRun: uploadId === null,
    status: "completed",
    progress: 100,
    ...counts,
    ...skipped,
    errors,
    rows: rowResults(results, firstId),
  }
}

type Counts = Record<"created" | "existing" | "updated" | "failed", number>

export function summary({ created, existing, updated, failed }: Counts, dry: boolean) {
  const text = [
    `${pluralize(created, "user")} ${dry ? "to create" : "created"}`,
    ...(updated > 0 ? [`${updated} ${dry ? "to update" : "updated"}`] : []),
    `${existing} already ${dry ? "exist" : "existed"}`,
    `${pluralize(failed, "row")} ${dry ? "with errors" : "failed"}`,
  ].join(", ")
  return dry ? `Dry run, nothing was changed: ${text}.` : `${text}.`
}
