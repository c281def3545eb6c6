import { z } from "@hono/zod-openapi"
import {
  boolean,
  choice,
  file,
  id,
  integer,
  keepIfNone,
  keepIfNull,
  name,
  optional,
  requiredIds,
  text,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { FONT_FAMILIES } from "../../lib/pdf/font-catalog.ts"
import { fromJson } from "../../lib/text/json.ts"
import { templateColumns } from "./certificate-template-columns.ts"
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

const MAX_PIXELS = 10_000
const MAX_FIELDS = 100
/** Characters of all custom texts together: limits the time to draw a template. */
const MAX_TEXT_LENGTH = 5_000

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
    .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, { error: "must be a hex color such as #1d4ed8" })
    .openapi({ type: "string", example: "#1d4ed8" })

/** Of a field that may be left out, or be sent as none: then it is this. */
const withFallback = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  optional(field).transform((given) => (given === undefined ? value : (given as z.output<T>)))

const pixels = (description: string) =>
  withFallback(integer(0, MAX_PIXELS), 0).openapi({
    type: "integer",
    minimum: 0,
    maximum: MAX_PIXELS,
    default: 0,
    description,
  })

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
      description: "The text of custom_text; for other keys, a sample for editors",
    }),
    font_size: withFallback(fontSize(), 16).openapi({
      type: "number",
      minimum: 1,
      maximum: 1000,
      default: 16,
      description: "Pixels, as a number or as digits",
    }),
    font_family: withFallback(choice(FONT_FAMILIES), "Arial").openapi({
      type: "string",
      enum: [...FONT_FAMILIES],
      default: "Arial",
    }),
    font_color: withFallback(color(), "#000000").openapi({ type: "string", example: "#1d4ed8", default: "#000000" }),
    top: pixels("Pixels from the page's top edge to the box's"),
    left: pixels("Pixels from the page's left edge to the box's"),
    align_center: withFallback(boolean(), false).openapi({
      type: "boolean",
      default: false,
      description: "Centered in its box; else it begins where its script begins, Arabic and Hebrew at the right",
    }),
    width: pixels("The box that the text is wrapped in; 0: to the page's right edge"),
    height: pixels("The box that the text is made small enough for; 0: to the page's bottom edge"),
    show_tools: withFallback(boolean(), false).openapi({
      type: "boolean",
      default: false,
      description: "For editors; not printed",
    }),
  })
  .openapi("CertificateTemplateField")

const side = () => integer(50, MAX_PIXELS)
const SIDE = {
  type: "integer",
  minimum: 50,
  maximum: MAX_PIXELS,
  description: "Pixels, 96 per inch",
} as const

const codePosition = z
  .object({
    show: boolean(),
    left: integer(0, MAX_PIXELS),
    top: integer(0, MAX_PIXELS),
    size: integer(10, MAX_PIXELS),
  })
  .openapi("CertificateCodePlace", {
    description: [
      "Position and size of the QR code of the public page, with its margin, in pixels. Not in the API contract.",
      "Defaults to the bottom right corner",
    ].join(" "),
  })

const fields = {
  name: name(),
  bg_url: z.preprocess(
    (value) => (value === null ? "" : value),
    text(2000)
      .optional()
      .openapi({
        type: "string",
        description: [
          "The storage_url of an uploaded PNG or JPEG, which fills the page, or that image's URL here.",
          "Images of other sites are not fetched: upload them",
        ].join(" "),
      }),
  ),
  fields: z
    .preprocess((value, context) => {
      if (typeof value !== "string") return value ?? undefined
      return value.trim() === "" ? undefined : fromJson(value, context)
    }, z.array(templateField).max(MAX_FIELDS).optional())
    .superRefine((all, context) => {
      const length = (all ?? []).reduce((sum, { value }) => sum + value.length, 0)
      if (length > MAX_TEXT_LENGTH)
        context.addIssue({
          code: "custom",
          message: `must have ${MAX_TEXT_LENGTH} characters or fewer in their values together; they have ${length}`,
        })
    })
    .openapi({ description: "In the order in which they are drawn; a PUT replaces them" }),
  qr_code: optional(codePosition),
}

export const newTemplate = z
  .object({ ...fields, height: side().openapi(SIDE), width: side().openapi(SIDE) })
  .openapi("NewCertificateTemplate")
export type NewTemplate = z.output<typeof newTemplate>

export const templateChanges = z
  .object({
    ...fields,
    name: keepIfNull(name()),
    height: keepIfNone(side()).openapi({ ...SIDE, description: `${SIDE.description}; keeps its value if omitted` }),
    width: keepIfNone(side()).openapi({ ...SIDE, description: `${SIDE.description}; keeps its value if omitted` }),
  })
  .openapi("CertificateTemplateChanges")
export type TemplateChanges = z.output<typeof templateChanges>

export const templateList = listResponse(templateColumns.row.openapi("CertificateTemplateRow"))

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
    qr_code: z
      .object({
        show: z.boolean(),
        left: z.number().int(),
        top: z.number().int(),
        size: z.number().int(),
      })
      .openapi({ description: "Position and size of the QR code, in pixels. Not in the API contract" }),
  })
  .openapi("CertificateTemplate")

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
