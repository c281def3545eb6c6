import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { type TemplateField, certificateTemplates as templates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { userName } from "../../db/sql.ts"
import { boolean, choice, integer, keepIfNone, keepIfNull, name, optional, text } from "../../lib/input/input.ts"
import { FONT_FAMILIES } from "../../lib/pdf/font-catalog.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { fromJson } from "../../lib/text/json.ts"
import type { BaseUrlContext } from "../../lib/web/answers.ts"
import { absoluteBgUrl } from "./certificate-backgrounds.ts"
import { codePositionOf } from "./certificate-code-place.ts"

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

/** An optional field with a fallback value, which also replaces "none". */
const withFallback = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  optional(field).transform((input) => (input === undefined ? value : (input as z.output<T>)))

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
      description: "Centered in its box; otherwise aligned by script, Arabic and Hebrew to the right",
    }),
    width: pixels("The width of the box, in which the text wraps; 0: to the page's right edge"),
    height: pixels("The height of the box, to which the text shrinks; 0: to the page's bottom edge"),
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

const bgUrl = z.preprocess(
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
)

const fieldList = z
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
  .openapi({ description: "In the order in which they are drawn; a PUT replaces them" })

const integerAnswer = () => z.number().int()

const toField = (field: TemplateField) => ({
  key: field.key,
  value: field.value,
  font_size: field.font_size,
  font_family: field.font_family,
  font_color: field.font_color,
  top: field.top,
  left: field.left,
  align_center: field.align_center,
  width: field.width,
  height: field.height,
  show_tools: field.show_tools,
})

const changedSide = () =>
  keepIfNone(side()).openapi({ ...SIDE, description: `${SIDE.description}; keeps its value if omitted` })

export const templateFields = recordFields(templates, {
  name: {
    create: name(),
    change: keepIfNull(name()),
    answer: nameColumn(templates.name),
    listed: true,
    searched: true,
  },
  bg_url: {
    column: "bgUrl",
    create: bgUrl,
    answer: column(templates.bgUrl, z.string(), {
      show: (url, { base }: BaseUrlContext) => absoluteBgUrl(url, base),
    }),
  },
  height: {
    create: side().openapi(SIDE),
    change: changedSide(),
    answer: column(templates.height, integerAnswer()),
  },
  width: {
    create: side().openapi(SIDE),
    change: changedSide(),
    answer: column(templates.width, integerAnswer()),
  },
  fields: {
    create: fieldList,
    answer: column(
      templates.fields,
      z.array(
        z.object({
          key: z.string(),
          value: z.string(),
          font_size: z.number(),
          font_family: z.string(),
          font_color: z.string(),
          top: integerAnswer(),
          left: integerAnswer(),
          align_center: z.boolean(),
          width: integerAnswer(),
          height: integerAnswer(),
          show_tools: z.boolean(),
        }),
      ),
      { show: (fields) => fields.map(toField) },
    ),
  },
  qr_code: {
    column: "qrCode",
    create: optional(codePosition),
    answer: column(
      { width: templates.width, height: templates.height, qrCode: templates.qrCode },
      z
        .object({ show: z.boolean(), left: integerAnswer(), top: integerAnswer(), size: integerAnswer() })
        .openapi({ description: "Position and size of the QR code, in pixels. Not in the API contract" }),
      {
        show: (template) => {
          const { show, left, top, size } = codePositionOf(template)
          return { show, left, top, size }
        },
      },
    ),
  },
})

/** The columns of one certificate template. */
export const templateDetails = listColumns(templateFields.answers)

const courseNames = sql<string>`coalesce((
  select group_concat(name, ', ') from (
    select ${courses.name} as name from ${courses}
    where ${courses.certificateTemplateId} = ${templates.id}
    order by 1
  )
), '')`

/** The columns of the list of certificate templates. */
export const templateColumns = listColumns({
  id: integerColumn(templates.id),
  ...templateFields.listed,
  author: column(sql<string>`coalesce(${userName(templates.authorId)}, '')`, z.string()),
  courses: column(courseNames, z.string().openapi({ description: "Names, separated by commas" })),
  created_at: dateColumn(templates.createdAt),
})
