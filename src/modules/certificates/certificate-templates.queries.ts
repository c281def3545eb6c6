import { asc, eq, sql } from "drizzle-orm"
import {
  certificates,
  certificateTemplateKeys,
  certificateTemplates,
  type TemplateField,
} from "../../../drizzle/certificates.ts"
import { courses } from "../../../drizzle/courses.ts"
import { customFields } from "../../../drizzle/custom-fields.ts"
import { users } from "../../../drizzle/users.ts"
import { now } from "../../lib/clock.ts"
import { type Database, one } from "../../lib/db.ts"
import { invalid } from "../../lib/errors.ts"
import { type PageQuery, page } from "../../lib/list.ts"
import { change, current, present, readOne, remove, requireAll } from "../../lib/records.ts"
import { matching, searchText } from "../../lib/search.ts"
import { counter, idList, subquery } from "../../lib/sql.ts"
import { counted } from "../../lib/words.ts"
import type { Statement, UnitOfWork } from "../../lib/work.ts"
import { requireBackground } from "./backgrounds.ts"
import { KEYS, type NewTemplate } from "./certificate-templates.schemas.ts"

const BUILT_IN = new Set<string>(KEYS.map(({ db_value }) => db_value))

/** The custom fields that certificates may print. */
const printable = (db: Database) =>
  db
    .select({ db_value: customFields.userMetaKey, display_value: customFields.label })
    .from(customFields)
    .where(eq(customFields.onCertificate, true))
    .orderBy(asc(customFields.displayOrder), asc(customFields.id))

/** What a template's fields may print: the keys of every academy, then its own custom fields. */
export async function listKeys(db: Database) {
  const [own] = await db.batch([printable(db)])
  return [...KEYS, ...own.filter(({ db_value }) => !BUILT_IN.has(db_value.toLowerCase()))]
}

/** Every template by name. */
export async function lookUpTemplates(db: Database, query: PageQuery) {
  const found = page(
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
  return found.read(...(await db.batch(found.statements)))
}

/** @throws 422 for a field that prints what there is not, or begins beyond the page */
function requireFields(
  fields: TemplateField[],
  { width, height }: { width: number; height: number },
  own: { db_value: string }[],
) {
  const known = new Set([...BUILT_IN, ...own.map(({ db_value }) => db_value.toLowerCase())])
  for (const [at, field] of fields.entries()) {
    if (!known.has(field.key.toLowerCase()))
      throw invalid(
        "fields",
        `fields[${at}].key is ${field.key}, which is no key of /api/certificate_template/keysLookup.`,
      )
    if (field.top >= height) throw invalid("fields", `fields[${at}].top must be less than the height, ${height}.`)
    if (field.left >= width) throw invalid("fields", `fields[${at}].left must be less than the width, ${width}.`)
  }
}

/** Notes which custom fields a template prints. */
function setKeys(db: Database, templateId: number, fields: TemplateField[]): Statement[] {
  const keys = fields.map(({ key }) => key.toLowerCase()).filter((key) => !BUILT_IN.has(key))
  return [
    db.delete(certificateTemplateKeys).where(eq(certificateTemplateKeys.templateId, templateId)),
    db
      .insert(certificateTemplateKeys)
      .select(
        sql`select distinct value as key, ${templateId} as template_id from json_each(${JSON.stringify(keys)}) where true`,
      ),
  ]
}

/** @throws 422 for a field or a background that does not fit */
export async function createTemplate(work: UnitOfWork, input: NewTemplate) {
  const { db, caller } = work
  const { name, height, width, bg_url: bgUrl = "", fields = [] } = input
  const [given, own] = await work.read([work.nextIds("certificate_templates"), printable(db)])
  requireFields(fields, input, own)
  await requireBackground(work.env.FILES, bgUrl)
  const id = one(given).last
  return work.commit(
    [
      db.insert(certificateTemplates).values({
        id,
        name,
        bgUrl,
        width,
        height,
        fields,
        authorId: caller.id,
        searchText: searchText(name),
        createdAt: now(),
      }),
      ...setKeys(db, id, fields),
      work.audit("created", "certificate template", { id, name }, { width, height, fields: fields.length }),
    ],
    { id, message: "Certificate template created." },
  )
}

/** @throws 404 */
export const getTemplate = (db: Database, id: number) =>
  readOne(
    db,
    {
      table: certificateTemplates,
      fields: {
        name: certificateTemplates.name,
        bgUrl: certificateTemplates.bgUrl,
        height: certificateTemplates.height,
        width: certificateTemplates.width,
        fields: certificateTemplates.fields,
      },
      subject: "certificate template",
    },
    id,
  )

/** Changes a template; the background and the fields stay where they are not given. @throws 404, 412, 422 as in create */
export async function updateTemplate(work: UnitOfWork, id: number, input: NewTemplate, demanded?: number) {
  const { db } = work
  const [rows, own] = await work.read([
    db.select().from(certificateTemplates).where(eq(certificateTemplates.id, id)),
    printable(db),
  ])
  const template = current(rows, "certificate template", demanded)
  const { name, width, height } = input
  const fields = input.fields ?? template.fields
  const bgUrl = input.bg_url ?? template.bgUrl
  requireFields(fields, input, own)
  if (bgUrl !== template.bgUrl) await requireBackground(work.env.FILES, bgUrl)
  return change(work, {
    table: certificateTemplates,
    record: template,
    next: { name, width, height, bgUrl, fields, searchText: searchText(name) },
    subject: "certificate template",
    name,
    answer: { id, message: "Certificate template updated." },
    details: { name, width, height, bgUrl, fields: fields.length },
    before: input.fields ? setKeys(db, id, fields) : [],
  })
}

/** Gives templates another author; unknown ids are counted. @throws 422 for an unknown author */
export async function quickEditTemplates(work: UnitOfWork, ids: number[], authorId: number | undefined) {
  const { db } = work
  const [found, authors] = await work.read([
    db
      .select({ id: certificateTemplates.id })
      .from(certificateTemplates)
      .where(sql`${certificateTemplates.id} in ${idList(ids)}`),
    present(db, users, authorId === undefined ? [] : [authorId]),
  ])
  requireAll("author_id", authorId === undefined ? [] : [authorId], authors)
  const unknown = ids.length - found.length
  const edited = authorId === undefined ? 0 : found.length
  const answer = {
    message: [
      `${counted(edited, "certificate template")} updated.`,
      ...(unknown > 0 ? [`${counted(unknown, "id")} unknown.`] : []),
    ].join(" "),
  }
  if (edited === 0 || authorId === undefined) return work.commit([], answer)
  const these = sql`${certificateTemplates.id} in ${idList(found.map(({ id }) => id))}`
  return work.commit(
    [
      work.guard(
        sql`(select count(*) from ${certificateTemplates} where ${these}) = ${edited} and exists (select 1 from ${users} where ${users.id} = ${authorId})`,
      ),
      db
        .update(certificateTemplates)
        .set({ authorId, version: sql`${certificateTemplates.version} + 1` })
        .where(these),
      work.auditMany(
        "updated",
        "certificate template",
        sql`select ${certificateTemplates.id} as id, ${certificateTemplates.name} as name, ${JSON.stringify({ authorId })} as details from ${certificateTemplates} where ${these}`,
      ),
    ],
    answer,
  )
}

/** Deletes templates; those that a course uses, or an issued certificate is drawn with, are kept. */
export const deleteTemplates = (work: UnitOfWork, ids: number[]) =>
  remove(work, {
    table: certificateTemplates,
    subject: "certificate template",
    name: certificateTemplates.name,
    ids,
    kept: {
      when: sql`(exists (select 1 from ${courses} where ${courses.certificateTemplateId} = ${certificateTemplates.id}) or exists (select 1 from ${certificates} where ${certificates.templateId} = ${certificateTemplates.id}))`,
      because: "courses use them, or certificates were issued with them",
    },
  })

/** One page of templates. */
export async function listTemplates(
  db: Database,
  query: PageQuery & { search_param: { templateName?: string | undefined; courseId?: number | undefined } },
) {
  const { templateName, courseId } = query.search_param
  const ofCourse = sql`select ${courses.certificateTemplateId} as id from ${courses} where ${courses.id} = ${courseId ?? 0} and ${courses.certificateTemplateId} is not null`
  const found = page(
    db,
    {
      table: certificateTemplates,
      key: certificateTemplates.id,
      fields: {
        id: certificateTemplates.id,
        name: certificateTemplates.name,
        author: subquery(
          sql<string>`coalesce((select trim(${users.firstName} || ' ' || ${users.lastName}) from ${users} where ${users.id} = ${certificateTemplates.authorId}), '')`,
        ).as("author_name"),
        courses: subquery(
          sql<string>`coalesce((select group_concat(name, ', ') from (select ${courses.name} as name from ${courses} where ${courses.certificateTemplateId} = ${certificateTemplates.id} order by 1)), '')`,
        ).as("course_names"),
        createdAt: certificateTemplates.createdAt,
      },
      sort: {
        id: certificateTemplates.id,
        name: sql`${certificateTemplates.name} collate nocase`,
        created_at: certificateTemplates.createdAt,
      },
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [],
      search: [
        ...(templateName ? [matching("certificate_templates_search", certificateTemplates.id, templateName)] : []),
        ...(courseId ? [{ test: sql`${certificateTemplates.id} in (${ofCourse})`, ids: ofCourse }] : []),
      ],
      total: counter("certificate_templates"),
    },
    query,
  )
  return found.read(...(await db.batch(found.statements)))
}
