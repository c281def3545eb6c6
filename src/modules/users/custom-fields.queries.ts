import { asc, eq, sql } from "drizzle-orm"
import {
  certificateTemplateKeys as templateKeys,
  certificateTemplates as templates,
} from "../../../drizzle/schema/certificates.ts"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import type { AuditAction } from "../../db/audit-rows.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { idList, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { preconditionFailed } from "../../lib/errors.ts"
import { contentVersion } from "../../lib/web/etag.ts"
import { type FieldSetChange, fieldSetChange } from "./custom-fields.background.ts"
import { type FieldInput, RESERVED_KEYS } from "./custom-fields.schemas.ts"

/** Selects all fields in display order. */
export const fieldsInOrder = (db: Database) =>
  db.select().from(customFields).orderBy(asc(customFields.displayOrder), asc(customFields.id))

export type Field = typeof customFields.$inferSelect

/** Lists the fields in display order. @param registration only the fields of the registration page */
export async function listFields(db: Database, { registration = false } = {}): Promise<Field[]> {
  const fields = fieldsInOrder(db)
  const [rows] = await db.batch([registration ? fields.where(eq(customFields.onRegistrationPage, true)) : fields])
  return rows
}

/** Derives a key from a label: `Date of birth` becomes `date_of_birth`. */
const slug = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60) || "field"

/**
 * The keys of the fields in order. Missing keys are derived from the labels, with a number if needed for uniqueness.
 */
function keysOf(fields: FieldInput[]): string[] {
  const taken = new Set(RESERVED_KEYS)
  for (const { userMetaKey } of fields) if (userMetaKey) taken.add(userMetaKey.toLowerCase())
  return fields.map(({ userMetaKey, label }) => {
    if (userMetaKey) return userMetaKey
    const base = slug(label)
    let key = base
    for (let n = 2; taken.has(key); n++) key = `${base}_${n}`
    taken.add(key)
    return key
  })
}

const ATTRIBUTES = [
  "type",
  "label",
  "defaultValue",
  "isRequired",
  "options",
  "onRegistrationPage",
  "onCertificate",
  "reports",
  "displayOrder",
  "isSearchable",
] as const satisfies (keyof Field)[]

const differing = (field: Field, stored: Field) =>
  ATTRIBUTES.filter((name) => JSON.stringify(field[name]) !== JSON.stringify(stored[name]))

/** Sorts fields by `display_order`, which defaults to the position in the array, and makes the orders unique. */
function sortFields<T extends FieldInput>(input: T[]): (T & { displayOrder: number })[] {
  const ordered = input.map((field, i) => ({ ...field, displayOrder: field.display_order ?? i + 1 }))
  let last = -1
  return ordered
    .sort((a, b) => a.displayOrder - b.displayOrder)
    .map((field) => {
      last = Math.max(field.displayOrder, last + 1)
      return { ...field, displayOrder: last }
    })
}

/** The complete new set. A field whose key is already stored keeps its id and key. */
function nextSet(input: FieldInput[], stored: Field[], newId: () => number): Field[] {
  const byKey = new Map(stored.map((field) => [field.userMetaKey.toLowerCase(), field]))
  const keys = keysOf(input)
  const keyed = input.map((field, i) => ({ ...field, key: keys[i] ?? "" }))
  return sortFields(keyed).map((field) => {
    const known = byKey.get(field.key.toLowerCase())
    return {
      id: known?.id ?? newId(),
      userMetaKey: known?.userMetaKey ?? field.key,
      type: field.type,
      label: field.label,
      defaultValue: field.defaultValue,
      isRequired: field.isRequired,
      options: field.options,
      onRegistrationPage: field.isFieldOnRegistrationPage,
      onCertificate: field.isFieldOnCertificate,
      reports: field.includeInReportExports,
      isSearchable: field.isSearchable,
      displayOrder: field.displayOrder,
      version: (known?.version ?? 0) + 1,
    }
  })
}

const upsertFields = (db: Database, fields: Field[]) =>
  insertFrom(
    db,
    customFields,
    {
      id: jsonField("id"),
      type: jsonField("type"),
      label: jsonField("label"),
      userMetaKey: jsonField("userMetaKey"),
      defaultValue: jsonField("defaultValue"),
      isRequired: jsonField("isRequired"),
      options: jsonField("options"),
      onRegistrationPage: jsonField("onRegistrationPage"),
      onCertificate: jsonField("onCertificate"),
      reports: jsonField("reports"),
      displayOrder: jsonField("displayOrder"),
      isSearchable: jsonField("isSearchable"),
      version: jsonField("version"),
    },
    sql`from ${rowList(fields)} where true`,
  ).onConflictDoUpdate({
    target: customFields.id,
    set: {
      type: sql`excluded.type`,
      label: sql`excluded.label`,
      defaultValue: sql`excluded.default_value`,
      isRequired: sql`excluded.is_required`,
      options: sql`excluded.options`,
      onRegistrationPage: sql`excluded.on_registration_page`,
      onCertificate: sql`excluded.on_certificate`,
      reports: sql`excluded.reports`,
      displayOrder: sql`excluded.display_order`,
      isSearchable: sql`excluded.is_searchable`,
      version: sql`excluded.version`,
    },
  })

const details = (field: Field, names: readonly (keyof Field)[]) =>
  Object.fromEntries(names.map((name) => [name, field[name]]))

function auditFields(
  work: UnitOfWork,
  action: AuditAction,
  fields: { field: Field; details: Record<string, unknown> }[],
): Statement[] {
  if (fields.length === 0) return []
  const rows = fields.map(({ field, details }) => ({ id: field.id, name: field.label, details }))
  return [
    work.auditMany(
      action,
      "custom field",
      sql`
        select ${jsonField("id")} as id, ${jsonField("name")} as name, ${jsonField("details")} as details
        from ${rowList(rows)}`,
    ),
  ]
}

const versionsOf = (fields: Field[]) => fields.map(({ id, version }) => [id, version]).sort(([a = 0], [b = 0]) => a - b)

/** The version of the set, which `If-Match` checks. */
export const setVersion = (fields: Field[]): number => contentVersion(versionsOf(fields))

/** Fails the batch if the set changed since it was read. */
const unchangedSet = (work: UnitOfWork, stored: Field[]) =>
  work.guard(sql`(
    select json_group_array(json_array(id, version))
    from (select id, version from ${customFields} order by id)
  ) = ${JSON.stringify(versionsOf(stored))}`)

/**
 * Replaces the set of fields: fields with missing keys are deleted with their values, new fields are added, all others
 * keep their ids and values.
 * @throws 409 if the set changes meanwhile, 412 if it is not as expected
 */
export async function replaceFields(work: UnitOfWork, input: FieldInput[], expected?: number) {
  const { db } = work
  const keys = keysOf(input).map((key) => key.toLowerCase())
  const plan = planBackgroundWork<FieldSetChange>(work, fieldSetChange, {
    exceptKeys: keys,
    searchableKeys: keys.filter((_, at) => input[at]?.isSearchable),
  })
  const [newIds, stored, planned] = await work.read([
    work.nextIds("custom_fields", input.length),
    fieldsInOrder(db),
    plan.question,
  ])
  if (expected !== undefined && expected !== setVersion(stored)) throw preconditionFailed()
  let id = firstRow(newIds).last - input.length
  const next = nextSet(input, stored, () => ++id)

  const before = new Map(stored.map((field) => [field.id, field]))
  const nextIds = new Set(next.map((field) => field.id))
  const added = next.filter((field) => !before.has(field.id))
  const changed = next.flatMap((field) => {
    const old = before.get(field.id)
    const names = old ? differing(field, old) : []
    return names.length > 0 ? [{ field, details: details(field, names) }] : []
  })
  const removed = stored.filter((field) => !nextIds.has(field.id))

  const reindexed = changed
    .map(({ field }) => field)
    .filter((field) => field.isSearchable !== before.get(field.id)?.isSearchable)
  const values =
    removed.length + reindexed.length > 0
      ? plan.decide(planned, {
          ids: removed.map(({ id }) => id),
          searchable: reindexed.filter((field) => field.isSearchable).map(({ id }) => id),
          unsearchable: reindexed.filter((field) => !field.isSearchable).map(({ id }) => id),
        })
      : undefined
  const answer = {
    message: `Custom fields saved: ${added.length} added, ${changed.length} changed, ${removed.length} deleted.`,
    ...values?.job,
  }
  const written = [...added, ...changed.map(({ field }) => field)]
  if (written.length === 0 && removed.length === 0) return work.commit([], answer)
  await work.commit(
    [
      unchangedSet(work, stored),
      ...(removed.length > 0
        ? [db.delete(customFields).where(sql`${customFields.id} in ${idList(removed.map((field) => field.id))}`)]
        : []),
      ...(values?.statements ?? []),
      ...(written.length > 0 ? [upsertFields(db, written)] : []),
      ...auditFields(
        work,
        "created",
        added.map((field) => ({ field, details: details(field, ["userMetaKey", ...ATTRIBUTES]) })),
      ),
      ...auditFields(work, "updated", changed),
      ...auditFields(
        work,
        "deleted",
        removed.map((field) => ({ field, details: { userMetaKey: field.userMetaKey } })),
      ),
    ],
    answer,
  )
  await values?.start()
  return answer
}

/** Whether deleting a field loses no data: no user has a value and no certificate template prints it. */
export async function canDeleteField(
  db: Database,
  { userMetaKey, label }: { userMetaKey?: string | undefined; label?: string | undefined },
) {
  const key = userMetaKey ?? slug(label ?? "")
  const [rows, certificateTemplates] = await db.batch([
    db
      .select({
        label: customFields.label,
        hasValues: sql<number>`${rowExists(customFieldValues, eq(customFieldValues.fieldId, customFields.id))}`.as(
          "has_values",
        ),
      })
      .from(customFields)
      .where(sql`${customFields.userMetaKey} collate nocase = ${key}`),
    db
      .select({ id: templates.id, name: templates.name })
      .from(templateKeys)
      .innerJoin(templates, eq(templates.id, templateKeys.templateId))
      .where(eq(templateKeys.key, key.toLowerCase()))
      .orderBy(asc(templates.id)),
  ])
  const [field] = rows
  if (!field) return { canDeleteField: true, message: `Field ${key} does not exist.`, certificateTemplates }
  const usages = [
    ...(field.hasValues ? ["user values, which would be deleted"] : []),
    ...(certificateTemplates.length > 0
      ? [`certificate templates: ${certificateTemplates.map(({ name }) => name).join(", ")}`]
      : []),
  ]
  return {
    canDeleteField: usages.length === 0,
    message:
      usages.length === 0
        ? `Field ${field.label} can be deleted.`
        : `Field ${field.label} is in use by ${usages.join(" and ")}.`,
    certificateTemplates,
  }
}
