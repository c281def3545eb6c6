import { z } from "@hono/zod-openapi"
import { file, id, optional, requiredIds, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { templateColumns, templateDetails, templateFields } from "./certificate-template-fields.ts"
import type { FieldKey } from "./certificate-text.ts"

/** The keys in the lookup of the API contract. */
export const KEYS = [
  { db_value: "student_first_name", display_value: "Student first name" },
  { db_value: "student_last_name", display_value: "Student last name" },
  { db_value: "student_full_name", display_value: "Student full name" },
  { db_value: "course_name", display_value: "Course name" },
  { db_value: "issue_date", display_value: "Issue date" },
  { db_value: "expiry_date", display_value: "Expiry date" },
  { db_value: "instructor_name", display_value: "Instructor name" },
  { db_value: "certificate_code", display_value: "Certificate code" },
  { db_value: "course_credit", display_value: "Course credit" },
  { db_value: "custom_text", display_value: "Custom text" },
] as const satisfies readonly { db_value: FieldKey; display_value: string }[]
/** Further keys, which the lookup of the API contract does not have. */
export const ADDITIONAL_KEYS = ["academy_name"] as const satisfies readonly FieldKey[]

export const keysLookup = z.array(z.object({ db_value: z.string(), display_value: z.string() }))
export const fontsLookup = z.array(
  z.object({ db_value: z.string(), display_value: z.string(), is_selected: z.boolean().optional() }),
)
export const templatesLookup = z.array(z.object({ id: z.number().int(), name: z.string() }))

export const newTemplate = z.object(templateFields.create).openapi("NewCertificateTemplate")
export type NewTemplate = z.output<typeof newTemplate>

export const templateChanges = z.object(templateFields.change).openapi("CertificateTemplateChanges")
export type TemplateChanges = z.output<typeof templateChanges>

export const templateList = listResponse(templateColumns.row.openapi("CertificateTemplateRow"))

export const template = templateDetails.row.openapi("CertificateTemplate")

export const templateListQuery = listQuery(Object.keys(templateColumns.sort), {
  templateName: optional(text(100)),
  courseId: optional(id()),
})

export const templatesQuickEdit = z
  .object({
    template_ids: requiredIds(),
    author_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "Their new author" }),
  })
  .openapi("CertificateTemplatesQuickEdit")

export const backgroundUpload = z.object({ file: file() })
export const uploadedBackground = z.object({
  storage_url: z.string().openapi({ description: "For a template's bg_url" }),
  message: z.string(),
})
export const backgroundParams = z.object({
  file: z
    .string()
    .max(100)
    .openapi({ param: { name: "file", in: "path", required: true } }),
})
