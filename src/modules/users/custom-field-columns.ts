import { type AnyColumn, asc, type SQL, sql } from "drizzle-orm"
import {
  customFields,
  customFieldValues,
  type FieldReport,
  type FieldType,
} from "../../../drizzle/schema/custom-fields.ts"
import type { Database } from "../../db/client.ts"
import { idList } from "../../db/sql.ts"
import { isChoice, optionValue } from "./custom-field-values.ts"

// Custom fields as export columns. The fields are read once per job; the values of a page are one JSON column of its
// query.

/** Selects the fields that a report includes, in display order. */
export const reportFields = (db: Database, report: FieldReport) =>
  db
    .select({
      id: customFields.id,
      type: customFields.type,
      label: customFields.label,
      key: customFields.userMetaKey,
      options: customFields.options,
    })
    .from(customFields)
    .where(sql`exists (select 1 from json_each(${customFields.reports}) where value = ${report})`)
    .orderBy(asc(customFields.displayOrder), asc(customFields.id))

type ReportField = Awaited<ReturnType<typeof reportFields>>[number]

/** A stored value with option values replaced by their labels. */
export function displayFieldValue({ type, options }: { type: FieldType; options: string[] }, value: string): string {
  if (!isChoice(type)) return value
  const label = (part: string) => options.find((option) => optionValue(option) === part) ?? part
  return type === "checkbox" ? value.split(",").map(label).join(", ") : label(value)
}

export interface ReportColumns {
  /** The labels of the fields. */
  headers: string[]
  /** Their keys, for programs. */
  keys: string[]
  /** The values of a row as JSON by field id, to add to the selected columns. */
  values: SQL.Aliased<string>
  /** One cell per header, from the JSON that `values` selected; empty for missing values. */
  cells(values: string): string[]
}

/** @param userId the column that contains the user's id */
export function reportColumns(fields: ReportField[], userId: AnyColumn): ReportColumns {
  const ids = fields.map((field) => field.id)
  const answers = sql`(
    select json_group_object(${customFieldValues.fieldId}, ${customFieldValues.value})
    from ${customFieldValues}
    where ${customFieldValues.userId} = ${userId} and ${customFieldValues.fieldId} in ${idList(ids)}
  )`
  return {
    headers: fields.map((field) => field.label),
    keys: fields.map((field) => field.key),
    values: sql<string>`${fields.length > 0 ? answers : sql`'{}'`}`.as("custom_field_values_json"),
    cells: (values) => {
      const byId: Record<string, string> = JSON.parse(values)
      return fields.map((field) => displayFieldValue(field, byId[field.id] ?? ""))
    },
  }
}
