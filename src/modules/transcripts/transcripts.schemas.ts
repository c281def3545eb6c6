import { z } from "@hono/zod-openapi"
import { ENROLLMENT_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { isoSchema, isoSchemaOrNull } from "../../lib/spreadsheet/columns.ts"
import { SET_DUE_STATUSES } from "../enrollments/due-filters.ts"

const count = () => z.number().int()

const certificate = z
  .object({
    id: count(),
    code: z.string(),
    courseName: z.string().openapi({ description: "When it was issued" }),
    issuedAt: isoSchema(),
    expiresAt: isoSchemaOrNull(),
    revokedAt: isoSchemaOrNull(),
  })
  .openapi("TranscriptCertificate")

const decision = {
  reason: z.string(),
  by: z.string().nullable().openapi({ description: "Who decided it; null if the account was deleted" }),
  at: isoSchema(),
}

const cycle = z
  .object({
    cycle: count(),
    isCurrent: z.boolean(),
    status: z.enum(ENROLLMENT_STATUSES),
    percentComplete: count(),
    percentAchieved: count()
      .nullable()
      .openapi({ description: "Percentage of the points of graded modules; null if nothing was graded" }),
    beganAt: isoSchema(),
    startedAt: isoSchemaOrNull(),
    completedAt: isoSchemaOrNull(),
    endedAt: isoSchemaOrNull().openapi({ description: "When the next cycle began; null for the current one" }),
    dueAt: isoSchemaOrNull(),
    dueStatus: z.enum(SET_DUE_STATUSES).nullable(),
    certificate: certificate.nullable(),
    exemptions: z.array(
      z.object({
        ...decision,
        until: isoSchemaOrNull().openapi({ description: "null: it has no end" }),
        endedAt: isoSchemaOrNull().openapi({ description: "When it was ended before its time" }),
      }),
    ),
    extensions: z.array(z.object({ ...decision, dueAt: isoSchema(), previousDueAt: isoSchemaOrNull() })),
  })
  .openapi("TranscriptCycle")

const content = {
  name: z.string(),
  academy: z.string().openapi({ description: "The name of the person's portal, or of the academy" }),
  timeZone: z.string().openapi({ description: "The time zone of the dates in the PDF", example: "Europe/Berlin" }),
  courses: z
    .array(
      z.object({
        courseId: count(),
        courseName: z.string(),
        cycles: z.array(cycle).openapi({ description: "The current one first" }),
      }),
    )
    .openapi({ description: "Newest enrollment first; then courses whose enrollment ended" }),
  otherCertificates: z.array(certificate).openapi({ description: "Certificates that belong to none of these cycles" }),
}

/** What is issued and stored. */
export const transcriptContent = z.object(content)
export type Transcript = z.output<typeof transcriptContent>

const issuedTranscript = z
  .object({
    id: count(),
    code: z.string(),
    verifyUrl: z.string().openapi({ description: "The public page that shows what was issued" }),
    issuedAt: isoSchema(),
    digest: z.string().openapi({ description: "SHA-256 of the stored content, as base64url" }),
  })
  .openapi("IssuedTranscript")

export const transcript = z
  .object({
    userId: count(),
    email: z.string(),
    ...content,
    issued: z.array(issuedTranscript).openapi({ description: "Transcripts that were issued, the oldest first" }),
  })
  .openapi("Transcript")

export const issuedAnswer = issuedTranscript.extend({ message: z.string() })
