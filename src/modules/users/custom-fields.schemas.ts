import { z } from "@hono/zod-openapi"
import { FIELD_REPORTS, FIELD_TYPES, type FieldReport, type FieldType } from "../../../drizzle/schema/custom-fields.ts"
import { boolean, choice, integer, jsonObject, list, optional, requiredText, text } from "../../lib/input/input.ts"
import { fromJson, type Issues } from "../../lib/text/json.ts"
import { isChoice, optionValue } from "./custom-field-values.ts"

const TYPE_NAMES: Record<FieldType, string> = {
  text: "Text",
  textarea: "Text Area",
  date: "Date",
  radio: "Single Select",
  checkbox: "Multiple Select",
  dropdown: "Drop Down",
}
const REPORT_NAMES: Record<FieldReport, string> = {
  "export-users": "Export Users",
  "course-insight": "Course Insight",
  "export-orders": "Export Orders",
}

const lookUp = (names: Record<string, string>) =>
  Object.entries(names).map(([db_value, display_value]) => ({ db_value, display_value }))

export const fieldTypes = lookUp(TYPE_NAMES)
export const fieldReports = lookUp(REPORT_NAMES)

export const displayType = (type: FieldType): string => TYPE_NAMES[type]

export const lookup = z.array(z.object({ db_value: z.string(), display_value: z.string() }))

const type = () => choice(FIELD_TYPES)
const report = () => choice(FIELD_REPORTS)
const flag = () => optional(boolean()).pipe(z.boolean().default(false)).openapi({ type: "boolean", default: false })
const numberAsText = (value: unknown) => (typeof value === "number" ? String(value) : value)

/** Column names of a bulk upload, and a name that JavaScript objects cannot safely have. */
export const RESERVED_KEYS = ["email", "first_name", "last_name", "password", "external_id", "__proto__"]

const metaKey = () =>
  requiredText(100)
    .refine((key) => /^[\p{L}\p{N}_.\- ]+$/u.test(key), {
      error: "must contain only letters, digits, spaces, _, - and .",
    })
    .refine((key) => !RESERVED_KEYS.includes(key.toLowerCase()), {
      error: `must not be ${RESERVED_KEYS.join(", ")}`,
    })
    .openapi({
      type: "string",
      description: "Identifies the field in requests. Defaults to a key derived from the label",
    })

const options = () =>
  list(z.preprocess(numberAsText, requiredText(255)), 500).openapi({
    type: "array",
    items: { type: "string" },
    description: "The choices; required for radio, checkbox and dropdown",
  })

/** Why the options are invalid, or undefined. */
function optionFault(labels: string[]): string | undefined {
  if (labels.length === 0) return "is required: add at least one option"
  const values = labels.map((label) => optionValue(label).toLowerCase())
  if (values.includes("")) return "has an option without letters or digits"
  const duplicate = labels.find((_, i) => values.indexOf(values[i] ?? "") !== i)
  return duplicate === undefined ? undefined : `has the option ${duplicate} twice (case and commas are ignored)`
}

const customField = z
  .object({
    type: type(),
    label: requiredText(255),
    userMetaKey: optional(metaKey()),
    defaultValue: optional(z.preprocess(numberAsText, text(5000))).openapi({
      type: ["string", "null"],
      description: "Shown until the user enters a value; never stored as a value",
    }),
    isRequired: flag(),
    optionLabel: options(),
    optionsLabel: options().openapi({ description: "An older spelling of optionLabel" }),
    isFieldOnRegistrationPage: flag(),
    isFieldOnCertificate: flag(),
    isSearchable: flag().openapi({
      description: "An extension: whether users can be looked up by its value; not for textarea",
    }),
    display_order: optional(integer(0, 1_000_000)).openapi({
      type: "integer",
      minimum: 0,
      description: "Fields are sorted by it in ascending order. Defaults to the position in the array",
    }),
    includeInReportExports: list(report(), 10)
      .transform((reports) => [...new Set(reports)])
      .openapi({ type: "array", items: { type: "string", enum: [...FIELD_REPORTS] } }),
  })
  .superRefine((field, context) => {
    const options = field.optionLabel.length > 0 ? field.optionLabel : field.optionsLabel
    const fault = isChoice(field.type) ? optionFault(options) : undefined
    if (fault) context.addIssue({ code: "custom", path: ["optionLabel"], message: fault })
    if (field.isSearchable && field.type === "textarea")
      context.addIssue({ code: "custom", path: ["isSearchable"], message: "must be false for a textarea" })
  })
  .transform(({ optionLabel, optionsLabel, defaultValue, ...field }) => ({
    ...field,
    defaultValue: defaultValue ?? null,
    options: isChoice(field.type) ? (optionLabel.length > 0 ? optionLabel : optionsLabel) : [],
  }))
  .openapi("NewCustomUserField")
export type FieldInput = z.output<typeof customField>

export const fieldSet = z.object({
  // Not `list`: a body without fields must not delete all fields.
  fields: z.preprocess(fromJson, z.array(customField).max(200)).superRefine((fields, context) => {
    const keys = fields.map((field) => field.userMetaKey?.toLowerCase())
    keys.forEach((key, i) => {
      if (key !== undefined && keys.indexOf(key) !== i)
        context.addIssue({ code: "custom", path: [i, "userMetaKey"], message: `${key} is used by another field` })
    })
  }),
})

const customUserField = z
  .object({
    id: z.number().int(),
    type: z.enum(FIELD_TYPES),
    displayType: z.string(),
    label: z.string(),
    userMetaKey: z.string(),
    defaultValue: z.string().nullable(),
    isRequired: z.boolean(),
    optionLabel: z.array(z.string()),
    isFieldOnRegistrationPage: z.boolean(),
    isFieldOnCertificate: z.boolean(),
    isSearchable: z.boolean().openapi({ description: "An extension: whether users can be looked up by its value" }),
    includeInReportExports: z.array(z.enum(FIELD_REPORTS)),
    display_order: z.number().int(),
    error: z.boolean().openapi({
      description:
        "Whether the definition is invalid: a choice without options, or a default value that the field rejects",
    }),
  })
  .openapi("CustomUserField")

export const customUserFields = z.object({ fields: z.array(customUserField) })

export const canDeleteQuery = z.object({
  fieldToDelete: jsonObject(
    z
      .object({ userMetaKey: optional(text(100)), label: optional(text(255)) })
      .refine((field) => field.userMetaKey || field.label, {
        path: ["userMetaKey"],
        error: "is required",
      }),
  ).openapi({
    description: "The custom field as members or as JSON, identified by userMetaKey or else by label",
    example: { userMetaKey: "region" },
    param: { required: true, style: "deepObject", explode: true },
  }),
})

export const canDelete = z.object({
  canDeleteField: z.boolean(),
  message: z.string(),
  certificateTemplates: z.array(z.object({ id: z.number().int(), name: z.string() })),
})

export const customUserMeta = z.object({
  type: z.string(),
  label: z.string(),
  submitted_value: z.string().openapi({
    description: "Empty: no value. A date as YYYY-MM-DD; several options as option values joined by commas",
  }),
  placeholder_value: z.string(),
  option_label: z.array(z.string()).optional(),
  option_value: z.array(z.string()).optional(),
})

const emptyToUndefined = (value: unknown, context: Issues) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0) ? undefined : fromJson(value, context)

/** A custom field's value in requests; `readMetas` validates it. */
export const metaValue = z.unknown().openapi("CustomFieldValue", {
  anyOf: [
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    { type: "array", items: { type: "string" } },
    { type: "object", properties: { submitted_value: { type: "string" } }, required: ["submitted_value"] },
  ],
})

/** Values by meta key, plain or as in responses (`{submitted_value}`); `readMetas` validates them. */
export const metaValues = () =>
  z.preprocess(emptyToUndefined, z.record(z.string(), metaValue).optional()).openapi({
    description:
      "Custom field values by meta key: a value, an array of options, or an object with " +
      "submitted_value as in responses",
    example: { region: "North", interests: ["Chess", "Go"] },
  })
