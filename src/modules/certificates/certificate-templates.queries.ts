import { eq, sql } from "drizzle-orm"
import {
  certificates,
  certificateTemplates,
  certificateTemplateVersions,
} from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  changedFields,
  deleteRecords,
  existingRecords,
  readRecord,
  requireExisting,
  requireVersion,
  updateRecord,
} from "../../db/records.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, idList, rowCount, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { pluralize } from "../../lib/text/words.ts"
import { bgUrlToStore, requireBackground } from "./certificate-backgrounds.ts"
import { codePositionToStore } from "./certificate-code-place.ts"
import { templateColumns, templateDetails, templateFields } from "./certificate-template-fields.ts"
import {
  requirePrintableText,
  requireValidFields,
  selectCertificateFields,
  setFieldKeys,
} from "./certificate-template-keys.queries.ts"
import type { NewTemplate, TemplateChanges } from "./certificate-templates.schemas.ts"

/** Returns templates by name. */
export async function lookUpTemplates(db: Database, query: PageQuery) {
  return readPage(
    db,
    {
      table: certificateTemplates,
      key: certificateTemplates.id,
      fields: { id: certificateTemplates.id, name: certificateTemplates.name },
      sort: { name: sql`${certificateTemplates.name} collate nocase` },
      defaultSort: { colName: "name", direction: "asc" },
      scope: [],
      search: [],
      total: counter("certificate_templates"),
    },
    query,
  )
}

/** Saves the current version of a template if certificates were issued with it. */
function saveVersion(db: Database, id: number): Statement {
  const lastCertificate = sql`(
    select max(${certificates.id}) from ${certificates}
    where ${certificates.templateId} = ${id}
  )`
  const lastSaved = sql`(
    select max(${certificateTemplateVersions.lastCertificateId}) from ${certificateTemplateVersions}
    where ${certificateTemplateVersions.templateId} = ${id}
  )`
  const hasIssuedSince = rowExists(
    certificates,
    sql`${certificates.templateId} = ${id} and ${certificates.id} > coalesce(${lastSaved}, 0)`,
  )
  const { bgUrl, width, height, fields, qrCode } = certificateTemplates
  return insertFrom(
    db,
    certificateTemplateVersions,
    { templateId: certificateTemplates.id, lastCertificateId: lastCertificate, bgUrl, width, height, fields, qrCode },
    sql`
      from ${certificateTemplates}
      where ${certificateTemplates.id} = ${id} and ${hasIssuedSince}`,
  )
}

/**
 * @param origin the service's origin
 * @throws 422 for an invalid field, background or QR code, and for characters that no font has
 */
export async function createTemplate(work: UnitOfWork, origin: string, input: NewTemplate) {
  const { db, caller } = work
  const { name, height, width, fields = [] } = input
  const row = {
    ...templateFields.toInsert(input),
    bgUrl: bgUrlToStore(input.bg_url ?? "", origin),
    fields,
    qrCode: codePositionToStore(input.qr_code, { width, height, qrCode: null }, { width, height }),
  }
  const [idRows, customFieldKeys] = await work.read([
    work.nextIds("certificate_templates"),
    selectCertificateFields(db),
  ])
  requireValidFields(fields, input, customFieldKeys)
  await Promise.all([requirePrintableText(work, fields, []), requireBackground(work.env.FILES, row.bgUrl)])
  const id = firstRow(idRows).last
  return work.commit(
    [
      db.insert(certificateTemplates).values({
        ...row,
        id,
        authorId: userIdOf(caller),
        searchText: templateFields.searchText(row),
        createdAt: now(),
      }),
      ...setFieldKeys(db, id, fields),
      work.audit("created", "certificate template", { id, name }, { width, height, fields: fields.length }),
    ],
    { id, message: "Certificate template created." },
  )
}

/** @throws 404 */
export const getTemplate = (db: Database, id: number) =>
  readRecord(
    db,
    {
      table: certificateTemplates,
      fields: templateDetails.fields,
      subject: "certificate template",
    },
    id,
  )

/**
 * Changes the given fields of a template. Issued certificates keep the version that they were issued with.
 * @throws 404, 412, 422 as in create
 */
export async function updateTemplate(
  work: UnitOfWork,
  origin: string,
  id: number,
  input: TemplateChanges,
  expectedVersion?: number,
) {
  const { db } = work
  const [rows, customFieldKeys] = await work.read([
    db.select().from(certificateTemplates).where(eq(certificateTemplates.id, id)),
    selectCertificateFields(db),
  ])
  const template = requireVersion(rows, "certificate template", expectedVersion)
  const row = templateFields.toUpdate(template, input)
  const { fields } = row
  const next = {
    ...row,
    bgUrl: bgUrlToStore(row.bgUrl, origin),
    qrCode: codePositionToStore(input.qr_code, template, row),
  }
  requireValidFields(fields, next, customFieldKeys)
  await requirePrintableText(work, fields, template.fields)
  if (next.bgUrl !== template.bgUrl) await requireBackground(work.env.FILES, next.bgUrl)
  const { name, ...layout } = next
  const { qrCode: _qrCode, ...details } = next
  const isLayoutChanged = Object.keys(changedFields(template, layout)).length > 0
  return updateRecord(work, {
    table: certificateTemplates,
    record: template,
    next: { ...next, searchText: templateFields.searchText(next) },
    subject: "certificate template",
    name,
    answer: { id, message: "Certificate template updated." },
    details: { ...details, fields: fields.length },
    before: isLayoutChanged ? [saveVersion(db, id), ...setFieldKeys(db, id, fields)] : [],
  })
}

/** Changes the author of templates; unknown ids are counted. @throws 422 for an unknown author */
export async function quickEditTemplates(work: UnitOfWork, ids: number[], authorId: number | undefined) {
  const { db } = work
  const [found, authors] = await work.read([
    db
      .select({ id: certificateTemplates.id })
      .from(certificateTemplates)
      .where(sql`${certificateTemplates.id} in ${idList(ids)}`),
    existingRecords(db, users, authorId === undefined ? [] : [authorId]),
  ])
  requireExisting("author_id", authorId === undefined ? [] : [authorId], authors)
  const unknownCount = ids.length - found.length
  const editedCount = authorId === undefined ? 0 : found.length
  const answer = {
    message: [
      `${pluralize(editedCount, "certificate template")} updated.`,
      ...(unknownCount > 0 ? [`${pluralize(unknownCount, "id")} unknown.`] : []),
    ].join(" "),
  }
  if (editedCount === 0 || authorId === undefined) return work.commit([], answer)
  const isSelected = sql`${certificateTemplates.id} in ${idList(found.map(({ id }) => id))}`
  return work.commit(
    [
      work.guard(
        sql`${eq(rowCount(certificateTemplates, isSelected), editedCount)}
          and ${rowExists(users, eq(users.id, authorId))}`,
      ),
      db
        .update(certificateTemplates)
        .set({ authorId, version: sql`${certificateTemplates.version} + 1` })
        .where(isSelected),
      work.auditMany(
        "updated",
        "certificate template",
        sql`
          select ${certificateTemplates.id} as id, ${certificateTemplates.name} as name,
            ${JSON.stringify({ authorId })} as details
          from ${certificateTemplates}
          where ${isSelected}`,
      ),
    ],
    answer,
  )
}

/** Deletes templates, except those that courses or issued certificates use. */
export const deleteTemplates = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: certificateTemplates,
    subject: "certificate template",
    name: certificateTemplates.name,
    ids,
    undeletable: {
      when: sql`(
        ${rowExists(courses, eq(courses.certificateTemplateId, certificateTemplates.id))}
        or ${rowExists(certificates, eq(certificates.templateId, certificateTemplates.id))}
      )`,
      because: "courses use them, or certificates were issued with them",
    },
  })

/** Returns one page of templates. */
export async function listTemplates(
  db: Database,
  query: PageQuery & { search_param: { templateName?: string | undefined; courseId?: number | undefined } },
) {
  const { templateName, courseId } = query.search_param
  const templateOfCourse = sql`
    select ${courses.certificateTemplateId} as id from ${courses}
    where ${courses.id} = ${courseId ?? 0} and ${courses.certificateTemplateId} is not null`
  return readPage(
    db,
    {
      table: certificateTemplates,
      key: certificateTemplates.id,
      fields: templateColumns.fields,
      sort: templateColumns.sort,
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [],
      search: [
        ...(templateName ? [searchFilter(certificateTemplates, templateName)] : []),
        ...(courseId
          ? [{ test: sql`${certificateTemplates.id} in (${templateOfCourse})`, ids: templateOfCourse }]
          : []),
      ],
      total: counter("certificate_templates"),
    },
    query,
  )
}
