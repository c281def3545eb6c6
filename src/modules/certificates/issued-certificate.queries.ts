import { and, asc, eq, type SQL, sql } from "drizzle-orm"
import {
  certificates,
  certificateTemplates,
  certificateTemplateVersions,
} from "../../../drizzle/schema/certificates.ts"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { userLanguage, userSiteName } from "../../access/accounts.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { displayFieldValue } from "../users/custom-field-columns.ts"

// Issued certificates as they are drawn and verified.

const isNotRevoked = sql`${certificates.revokedAt} = 0`

const TEMPLATE_COLUMNS = {
  bgUrl: certificateTemplates.bgUrl,
  width: certificateTemplates.width,
  height: certificateTemplates.height,
  fields: certificateTemplates.fields,
  qrCode: certificateTemplates.qrCode,
}

/**
 * Selects the template version at the time of issue, if the template has changed since.
 * @param selected the condition of the certificate
 */
const selectVersion = (db: Database, selected: SQL) =>
  db
    .select()
    .from(certificateTemplateVersions)
    .where(
      sql`
        ${certificateTemplateVersions.templateId} = (
          select ${certificates.templateId} from ${certificates} where ${selected}
        )
        and ${certificateTemplateVersions.lastCertificateId} >= (
          select ${certificates.id} from ${certificates} where ${selected}
        )`,
    )
    .orderBy(asc(certificateTemplateVersions.lastCertificateId))
    .limit(1)

/** What is drawn: the data of a certificate and the template version that it was issued with. */
async function readDrawn(db: Database, selected: SQL, visible?: SQL) {
  const [rows, fieldValues, versions] = await db.batch([
    db
      .select({
        code: certificates.code,
        courseName: certificates.courseName,
        instructorName: certificates.instructorName,
        courseCredit: certificates.courseCredit,
        issuedAt: certificates.issuedAt,
        expiresAt: certificates.expiresAt,
        firstName: users.firstName,
        lastName: users.lastName,
        site: userSiteName(users.id),
        language: userLanguage(users.id),
        ...TEMPLATE_COLUMNS,
      })
      .from(certificates)
      .innerJoin(users, eq(users.id, certificates.userId))
      .innerJoin(certificateTemplates, eq(certificateTemplates.id, certificates.templateId))
      .where(and(selected, isNotRevoked, visible)),
    db
      .select({
        key: customFields.userMetaKey,
        type: customFields.type,
        options: customFields.options,
        value: customFieldValues.value,
      })
      .from(customFieldValues)
      .innerJoin(customFields, eq(customFields.id, customFieldValues.fieldId))
      .where(
        sql`${customFields.onCertificate} and ${customFieldValues.userId} = (
          select ${certificates.userId} from ${certificates} where ${selected}
        )`,
      ),
    selectVersion(db, selected),
  ])
  const [found] = rows
  if (!found) throw notFound("certificate")
  const custom = new Map(
    fieldValues.map((answer) => [answer.key.toLowerCase(), displayFieldValue(answer, answer.value)]),
  )
  return { template: versions[0] ?? found, data: { ...found, custom } }
}

/** Returns a certificate to be drawn. @throws 404 when it is revoked or the caller cannot see it */
export const readCertificate = (db: Database, caller: Caller, id: number) =>
  readDrawn(db, sql`${certificates.id} = ${id}`, canSeeUser(caller, certificates.userId))

/** Returns the certificate of a public page to be drawn. @throws 404 for an unknown code, and when it is revoked */
export const readPublicCertificate = (db: Database, code: string) => readDrawn(db, sql`${certificates.code} = ${code}`)

/** Returns the certificate with a code for the public page, undefined for an unknown code, with the settings. */
export async function verifyCertificate(db: Database, code: string) {
  const selected = sql`${certificates.code} = ${code}`
  const [[found], [version], [academy = null]] = await db.batch([
    db
      .select({
        userId: certificates.userId,
        code: certificates.code,
        courseName: certificates.courseName,
        instructorName: certificates.instructorName,
        issuedAt: certificates.issuedAt,
        expiresAt: certificates.expiresAt,
        revokedAt: certificates.revokedAt,
        firstName: users.firstName,
        lastName: users.lastName,
        site: userSiteName(users.id),
        ...TEMPLATE_COLUMNS,
      })
      .from(certificates)
      .innerJoin(users, eq(users.id, certificates.userId))
      .innerJoin(certificateTemplates, eq(certificateTemplates.id, certificates.templateId))
      .where(selected),
    selectVersion(db, selected),
    selectSettings(db),
  ])
  return { certificate: found && { ...found, ...version }, academy }
}
