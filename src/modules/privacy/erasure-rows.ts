import { getTableName, type SQL, sql } from "drizzle-orm"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { auditLogs, auditPeople } from "../../../drizzle/schema/audit.ts"
import { submissionFiles } from "../../../drizzle/schema/submissions.ts"
import { rawStatement } from "../../db/select.ts"
import { idList, rowExists } from "../../db/sql.ts"
import { CHUNK_SIZE, type ErasureStage } from "./erasure-stage.ts"
import { PERSONAL_DATA } from "./personal-data.ts"
import { isOwnUpload } from "./personal-data-learning.ts"
import { type DataSubject, erasedName, type PersonalDataTable, primaryKeyOf } from "./personal-data-table.ts"

/** Adds the person's former names and addresses, which the audit log has. */
export const findFormerNames: ErasureStage = async ({ db, person }, after) => {
  if (after) return undefined
  const { id } = person
  const [rows] = await db.batch([
    rawStatement<{ name: string; email: string | null }>(
      db,
      sql`select distinct ${auditLogs.effectOn} as name, ${auditLogs.details} ->> '$.email' as email
        from ${auditLogs}
        where ${auditLogs.subject} = 'user' and ${auditLogs.subjectId} = ${id} and (
          ${auditLogs.performedBy} = ${id} or ${auditLogs.id} in (
            select ${auditPeople.logId} from ${auditPeople} where ${auditPeople.userId} = ${id}
          )
        )`,
    ),
  ])
  const emails = [...person.emails, ...rows.flatMap(({ email }) => email ?? [])]
  const names = [...person.names, ...rows.map(({ name }) => name)].filter((name) => name !== erasedName(id))
  return {
    statements: [],
    after: [1],
    person: {
      id,
      // Most tables store the address as entered, some in lower case.
      emails: [...new Set(emails.flatMap((email) => [email, email.toLowerCase()]))],
      names: [...new Set(names)].filter(Boolean),
    },
  }
}

/** The person's rows that an erasure deletes or updates; undefined if it does neither. */
function pendingRows({ erasure }: PersonalDataTable, person: DataSubject): SQL | undefined {
  if (erasure.how === "delete") return erasure.rows(person)
  if (erasure.how === "update") return sql`${erasure.rows(person)} and ${erasure.pending}`
  return undefined
}

/** Deletes or updates the person's own rows, as PERSONAL_DATA declares. */
export const eraseOwnRows: ErasureStage = async ({ db, person }) => {
  const tables = PERSONAL_DATA.flatMap((entry) => {
    const pending = pendingRows(entry, person)
    return pending ? [{ ...entry, pending, name: getTableName(entry.table) }] : []
  })
  const [[hasRows]] = await db.batch([
    rawStatement<Record<string, number>>(
      db,
      sql`select ${sql.join(
        tables.map(({ table, pending, name }) => sql`${rowExists(table, pending)} as ${sql.identifier(name)}`),
        sql`, `,
      )}`,
    ),
  ])
  const remaining = tables.filter(({ name }) => hasRows?.[name])
  if (remaining.length === 0) return undefined
  return {
    statements: remaining.map(({ table, erasure, pending }) => {
      const key = sql.join(primaryKeyOf(table), sql`, `)
      const chunk = sql`(${key}) in (select ${key} from ${table} where ${pending} limit ${CHUNK_SIZE})`
      return erasure.how === "update"
        ? db.update(table).set(erasure.values).where(chunk)
        : db.delete(table).where(chunk)
    }),
  }
}

/** Deletes the submitted files. R2 is first: the rows name the objects if the job stops between the two. */
export const eraseFiles: ErasureStage = async ({ db, env, person }) => {
  const [files] = await db.batch([
    db
      .select({ id: assignmentUploads.id, objectKey: assignmentUploads.objectKey })
      .from(assignmentUploads)
      .where(isOwnUpload(person))
      .limit(CHUNK_SIZE),
  ])
  if (files.length === 0) return undefined
  await env.FILES.delete(files.map(({ objectKey }) => objectKey))
  const ids = idList(files.map(({ id }) => id))
  return {
    statements: [
      db.delete(submissionFiles).where(sql`${submissionFiles.uploadId} in ${ids}`),
      db.delete(assignmentUploads).where(sql`${assignmentUploads.id} in ${ids}`),
    ],
  }
}
