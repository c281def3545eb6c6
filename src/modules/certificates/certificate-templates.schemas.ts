import { z } from "@hono/zod-openapi"
import { bool, choice, file, id, integer, name, optional, requiredIds, text } from "../../lib/input.ts"
import { fromJson } from "../../lib/json.ts"
import { envelope, listQuery } from "../../lib/list-query.ts"

/** What a certificate can say. */
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
] as const
export type Key = (typeof KEYS)[number]["db_value"]

export const FONTS = [
  "Arial",
  "Courier",
  "Times-Roman",
  "Helvetica",
  "Times-Bold",
  "Courier-Bold",
  "DejaVuSans-Bold",
  "DejaVuSansMono-Bold",
] as const
export type FontFamily = (typeof FONTS)[number]

export const keysLookup = z.array(z.object({ db_value: z.string(), display_value: z.string() }))
export const fontsLookup = z.array(
  z.object({ db_value: z.string(), display_value: z.string(), is_selected: z.boolean().optional() }),
)
export const templatesLookup = z.array(z.object({ id: z.number().int(), name: z.string() }))

/** The longest side of a template, and the most texts on it. */
const MOST_PIXELS = 10_000
const MOST_FIELDS = 100

const fontSize = () =>
  z
    .preprocess(
      (value) =>
        typeof value === "string" && /^\s*\d+(\.\d+)?\s*(px\s*)?$/.test(value) ? Number.parseFloat(value) : value,
      z.number().min(1).max(1000),
    )
    .openapi({ type: "number", minimum: 1, maximum: 1000, description: "Pixels, as a number or as digits" })

const color = () =>
  z
    .string()
    .trim()
    .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, { error: "must be a hex colour such as #1d4ed8" })
    .openapi({ type: "string", example: "#1d4ed8" })

const pixels = (description: string) => integer(0, MOST_PIXELS).default(0).openapi({ description })

const templateField = z
  .object({
    key: z
      .string()
      .trim()
      .regex(/^[\p{L}\p{N}_.-]{1,100}$/u, { error: "must be a key of keysLookup" })
      .openapi({
        type: "string",
        example: "student_full_name",
        description: "A key of /api/certificate_template/keysLookup",
      }),
    value: optional(text(1000)).pipe(z.string().default("")).openapi({
      type: "string",
      description: "What custom_text prints; of the others, what an editor shows",
    }),
    font_size: fontSize().default(16),
    font_family: choice(FONTS).default("Arial"),
    font_color: color().default("#000000"),
    top: pixels("Pixels from the page's top edge to the box's"),
    left: pixels("Pixels from the page's left edge to the box's"),
    align_center: bool().default(false).openapi({ description: "Centred in its box" }),
    width: pixels("The box that the text is wrapped in; 0: to the page's right edge"),
    height: pixels("The box that the text is made small enough for; 0: to the page's bottom edge"),
    show_tools: bool().default(false).openapi({ description: "The editor's own; not printed" }),
  })
  .openapi("CertificateTemplateField")

const fields = {
  name: name(),
  height: integer(50, MOST_PIXELS).openapi({ description: "Pixels, of which 96 make an inch" }),
  width: integer(50, MOST_PIXELS).openapi({ description: "Pixels, of which 96 make an inch" }),
  bg_url: z.preprocess(
    (value) => (value === null ? "" : value),
    text(2000)
      .refine((url) => url === "" || /^(https:\/\/|\/api\/certificate_template\/background\/)\S+$/i.test(url), {
        error: "must be the storage_url of an uploaded image, or an https URL",
      })
      .optional()
      .openapi({
        type: "string",
        description:
          "The storage_url of an uploaded PNG or JPEG, which fills the page. The images of other https URLs are kept for editors and not drawn",
      }),
  ),
  fields: z
    .preprocess((value, context) => {
      if (typeof value !== "string") return value ?? undefined
      return value.trim() === "" ? undefined : fromJson(value, context)
    }, z.array(templateField).max(MOST_FIELDS).optional())
    .openapi({ description: "In the order in which they are drawn; a PUT replaces them" }),
}

export const newTemplate = z.object(fields).openapi("NewCertificateTemplate")
export type NewTemplate = z.output<typeof newTemplate>

export const templateList = envelope(
  z
    .object({
      id: z.number().int(),
      name: z.string(),
      author: z.string(),
      courses: z.string().openapi({ description: "Names, separated by commas" }),
      created_at: z.string(),
    })
    .openapi("CertificateTemplateRow"),
)

export const template = z
  .object({
    name: z.string(),
    bg_url: z.string(),
    height: z.number().int(),
    width: z.number().int(),
    fields: z.array(
      z.object({
        key: z.string(),
        value: z.string(),
        font_size: z.number(),
        font_family: z.string(),
        font_color: z.string(),
        top: z.number().int(),
        left: z.number().int(),
        align_center: z.boolean(),
        width: z.number().int(),
        height: z.number().int(),
        show_tools: z.boolean(),
      }),
    ),
  })
  .openapi("CertificateTemplate")

export const TEMPLATE_COLUMNS = ["id", "name", "created_at"] as const
export const templateListQuery = listQuery(TEMPLATE_COLUMNS, {
  templateName: optional(text(100)),
  courseId: optional(id()),
})

export const quickEdit = z
  .object({
    template_ids: requiredIds(),
    author_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "Their new author" }),
  })
  .openapi("CertificateTemplatesQuickEdit")

export const backgroundUpload = z.object({ file: file() })
export const uploaded = z.object({
  storage_url: z.string().openapi({ description: "For a template's bg_url" }),
  message: z.string(),
})
export const backgroundParams = z.object({
  file: z
    .string()
    .max(100)
    .openapi({ param: { name: "file", in: "path", required: true } }),
})
