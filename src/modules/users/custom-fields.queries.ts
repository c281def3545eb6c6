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
import { type FieldSelection, fieldValueDeletion } from "./custom-fields.background.ts"
import { type FieldInput, RESERVED_KEYS } from "./custom-fields.schemas.ts"

/** All fields, in their order: to be read by any batch. */
export const fieldsInOrder = (db: Database) =>
  db.select().from(customFields).orderBy(asc(customFields.displayOrder), asc(customFields.id))

export type Field = typeof customFields.$inferSelect

/** The fields in their order. @param registration only those of the registration page */
export async function listFields(db: Database, { registration = false } = {}): Promise<Field[]> {
  const fields = fieldsInOrder(db)
  const [rows] = await db.batch([registration ? fields.where(eq(customFields.onRegistrationPage, true)) : fields])
  return rows
}

/** A key from a label: `Date of birth` becomes date_of_birth. */
const slug = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60) || "field"

/** The fields' keys, in order: as given, else from the label; a number tells apart those that would be the same. */
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
] as const satisfies (keyof Field)[]

/** What of a field is not as it was stored. */
const differing = (field: Field, stored: Field) =>
  ATTRIBUTES.filter((name) => JSON.stringify(field[name]) !== JSON.stringify(stored[name]))

/** Fields by their `display_order`, where none is given by their place in the array; no two with the same. */
function inOrder<T extends FieldInput>(input: T[]): (T & { displayOrder: number })[] {
  const placed = input.map((field, i) => ({ ...field, displayOrder: field.display_order ?? i + 1 }))
  let last = -1
  return placed
    .sort((a, b) => a.displayOrder - b.displayOrder)
    .map((field) => {
      last = Math.max(field.displayOrder, last + 1)
      return { ...field, displayOrder: last }
    })
}

/** The set as it is to be: a field whose key is stored already keeps its id and key. */
function nextSet(input: FieldInput[], stored: Field[], newId: () => number): Field[] {
  const byKey = new Map(stored.map((field) => [field.userMetaKey.toLowerCase(), field]))
  const keys = keysOf(input)
  const keyed = input.map((field, i) => ({ ...field, key: keys[i] ?? "" }))
  return inOrder(keyed).map((given) => {
    const known = byKey.get(given.key.toLowerCase())
    return {
      id: known?.id ?? newId(),
      userMetaKey: known?.userMetaKey ?? given.key,
      type: given.type,
      label: given.label,
      defaultValue: given.defaultValue,
      isRequired: given.isRequired,
      options: given.options,
      onRegistrationPage: given.isFieldOnRegistrationPage,
      onCertificate: given.isFieldOnCertificate,
      reports: given.includeInReportExports,
      displayOrder: given.displayOrder,
      version: (known?.version ?? 0) + 1,
    }
  })
}

const write = (db: Database, fields: Field[]) =>
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

/** Makes the batch fail when anybody has changed the set since it was read. */
const unchangedSet = (work: UnitOfWork, stored: Field[]) => {
  const versions = stored.map(({ id, version }) => [id, version]).sort(([a = 0], [b = 0]) => a - b)
  return work.guard(sql`(
    select json_group_array(json_array(id, version))
    from (select id, version from ${customFields} order by id)
  ) = ${JSON.stringify(versions)}`)
}

/**
 * Replaces the set of fields: those whose key is absent go with their values, new ones are added, the others keep their
 * ids and values.
 * @throws 409 when the set changes while this runs
 */
export async function replaceFields(work: UnitOfWork, input: FieldInput[]) {
  const { db } = work
  const plan = planBackgroundWork<FieldSelection>(work, fieldValueDeletion, {
    butKeys: keysOf(input).map((key) => key.toLowerCase()),
  })
  const [given, stored, planned] = await work.read([
    work.nextIds("custom_fields", input.length),
    fieldsInOrder(db),
    plan.question,
  ])
  let id = firstRow(given).last - input.length
  const next = nextSet(input, stored, () => ++id)

  const before = new Map(stored.map((field) => [field.id, field]))
  const kept = new Set(next.map((field) => field.id))
  const added = next.filter((field) => !before.has(field.id))
  const changed = next.flatMap((field) => {
    const old = before.get(field.id)
    const names = old ? differing(field, old) : []
    return names.length > 0 ? [{ field, details: details(field, names) }] : []
  })
  const gone = stored.filter((field) => !kept.has(field.id))

  const values = gone.length > 0 ? plan.decide(planned, { ids: gone.map(({ id }) => id) }) : undefined
  const answer = {
    message: `Custom fields saved: ${added.length} added, ${changed.length} changed, ${gone.length} deleted.`,
    ...values?.job,
  }
  const written = [...added, ...changed.map(({ field }) => field)]
  if (written.length === 0 && gone.length === 0) return work.commit([], answer)
  await work.commit(
    [
      unchangedSet(work, stored),
      ...(gone.length > 0
        ? [db.delete(customFields).where(sql`${customFields.id} in ${idList(gone.map((field) => field.id))}`)]
        : []),
      ...(values?.statements ?? []),
      ...(written.length > 0 ? [write(db, written)] : []),
      ...auditFields(
        work,
        "created",
        added.map((field) => ({ field, details: details(field, ["userMetaKey", ...ATTRIBUTES]) })),
      ),
      ...auditFields(work, "updated", changed),
      ...auditFields(
        work,
        "deleted",
        gone.map((field) => ({ field, details: { userMetaKey: field.userMetaKey } })),
      ),
    ],
    answer,
  )
  await values?.start()
  return answer
}

/** Whether a field can be deleted without losing anything: no values are stored, no certificate template prints it. */
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
  if (!field) return { canDeleteField: true, message: `No field ${key} is stored.`, certificateTemplates }
  const ties = [
    ...(field.hasValues ? ["users have values for it, which would be deleted with it"] : []),
    ...(certificateTemplates.length > 0
      ? [`certificate templates print it: ${certificateTemplates.map(({ name }) => name).join(", ")}`]
      : []),
  ]
  return {
    canDeleteField: ties.length === 0,
    message:
      ties.length === 0
        ? `The field ${field.label} can be deleted: nothing is tied to it.`
        : `The field ${field.label} has data tied to it: ${ties.join("; ")}.`,
    certificateTemplates,
  }
}
