import { asc, eq, sql } from "drizzle-orm"
import { certificateTemplateKeys, type TemplateField } from "../../../drizzle/schema/certificates.ts"
import { customFields } from "../../../drizzle/schema/custom-fields.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { textList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { invalid } from "../../lib/errors.ts"
import { loadFontCatalog } from "../../lib/pdf/font-files.ts"
import { normalizeFieldText, splitParagraphs } from "./certificate-layout.ts"
import { ADDITIONAL_KEYS, KEYS } from "./certificate-templates.schemas.ts"

// The keys of template fields, and the checks of fields.

const BUILT_IN = new Set<string>([...KEYS.map(({ db_value }) => db_value), ...ADDITIONAL_KEYS])

/** Selects the custom fields that certificates can show. */
export const selectCertificateFields = (db: Database) =>
  db
    .select({ db_value: customFields.userMetaKey, display_value: customFields.label })
    .from(customFields)
    .where(eq(customFields.onCertificate, true))
    .orderBy(asc(customFields.displayOrder), asc(customFields.id))

/** Returns the keys of template fields: the built-in keys, then custom fields. */
export async function listFieldKeys(db: Database) {
  const [customFieldKeys] = await db.batch([selectCertificateFields(db)])
  return [...KEYS, ...customFieldKeys.filter(({ db_value }) => !BUILT_IN.has(db_value.toLowerCase()))]
}

/** @throws 422 for a field with an unknown key or outside of the page */
export function requireValidFields(
  fields: TemplateField[],
  { width, height }: { width: number; height: number },
  customFieldKeys: { db_value: string }[],
) {
  const knownKeys = new Set([...BUILT_IN, ...customFieldKeys.map(({ db_value }) => db_value.toLowerCase())])
  for (const [at, field] of fields.entries()) {
    if (!knownKeys.has(field.key.toLowerCase()))
      throw invalid(
        "fields",
        `fields[${at}].key is ${field.key}, which is not a key of /api/certificate_template/keysLookup.`,
      )
    if (field.top >= height) throw invalid("fields", `fields[${at}].top must be less than the height, ${height}.`)
    if (field.left >= width) throw invalid("fields", `fields[${at}].left must be less than the width, ${width}.`)
  }
}

/** @throws 422 for a text with characters that no font has, unless `before` has the same text */
export async function requirePrintableText(work: UnitOfWork, fields: TemplateField[], before: TemplateField[]) {
  const existingTexts = new Set(before.map(({ value }) => value))
  const catalog = await loadFontCatalog(work.env.ASSETS)
  for (const [at, { key, value }] of fields.entries()) {
    if (key.toLowerCase() !== "custom_text" || existingTexts.has(value)) continue
    const missing = catalog.missing(splitParagraphs(normalizeFieldText(value)).join(" "))
    if (missing.length > 0)
      throw invalid("fields", `fields[${at}].value has characters that no certificate font has: ${missing.join(" ")}`)
  }
}

/** Stores which custom fields a template shows. */
export function setFieldKeys(db: Database, templateId: number, fields: TemplateField[]): Statement[] {
  const keys = fields.map(({ key }) => key.toLowerCase()).filter((key) => !BUILT_IN.has(key))
  return [
    db.delete(certificateTemplateKeys).where(eq(certificateTemplateKeys.templateId, templateId)),
    insertFrom(
      db,
      certificateTemplateKeys,
      { key: sql`value`, templateId },
      sql`from ${textList([...new Set(keys)])} where true`,
    ),
  ]
}
