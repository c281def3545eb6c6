import { type AnyColumn, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core"
import type { z } from "zod"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canSeeUser } from "../../access/scope.ts"
import { selectFrom } from "../../db/select.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canChangeUserOfType, hasRole } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { forbidden, notFound } from "../../lib/errors.ts"
import { type ArchiveFile, writeZip } from "../../lib/files/zip-writer.ts"
import { fullName } from "../../lib/text/words.ts"
import type { ExportCheck, ExportSource } from "../exports/export-files.ts"
import type { personalDataExport } from "./personal-data.schemas.ts"
import { PERSONAL_DATA } from "./personal-data.ts"
import { isOwnUpload } from "./personal-data-learning.ts"
import { type DataSubject, exportedColumns, type PersonalDataFile } from "./personal-data-table.ts"

// Exports the data of a person as a zip archive: each exported file of PERSONAL_DATA is a JSON array, which is written
// in pages while it is read.

type Filter = z.output<typeof personalDataExport>
interface Target {
  id: number
  userType: string
}

/** Users can export their own data, administrators that of others except owners, and owners that of anyone. */
export const personalDataCheck: ExportCheck<Filter, [Target[]]> = {
  read: ({ db, caller }, { userId }) => [
    db
      .select({ id: users.id, userType: users.userType })
      .from(users)
      .where(sql`${eq(users.id, userId ?? caller.id ?? 0)} and ${canSeeUser(caller, users.id)}`),
  ],
  validate({ caller }: UnitOfWork, [[target]]) {
    if (!target) throw notFound("user")
    if (target.id !== caller.id && !canExportDataOf(caller, target.userType))
      throw forbidden("Your role does not allow you to export this person's data.")
  },
}

const canExportDataOf = (caller: Caller, userType: string) =>
  hasRole(caller, "admin") && canChangeUserOfType(caller, userType)

/** The number of rows that a page returns, and that a page of a full scan reads. */
const PAGE_SIZE = 500
const SCAN_PAGE_SIZE = 5000
/** The maximum size of the files in an archive. The manifest lists those that are left out. */
const MAX_FILE_BYTES = 3_500_000_000

const README = `The personal data of one user at the time of the export.

manifest.json   the user's ID, the time of the export, and the number of records in each file
*/*.json        arrays of records, one or more files (.2.json …) for each kind; files without records are left out
files/          the files that were submitted for assignments

Times are ISO 8601 in UTC, or null if they are not set. Amounts are in the minor unit of the currency. IDs are those of
the API. Secrets are left out: passwords, keys, links and codes.
`

/** @returns the bytes of the archive. @throws if the user was deleted */
export async function* personalDataFile(source: ExportSource, { userId }: Filter): AsyncGenerator<Uint8Array> {
  const id = userId ?? source.caller.id ?? 0
  const [[user]] = await source.db.batch([source.db.select().from(users).where(eq(users.id, id))])
  if (!user) throw new Error("The user was deleted.")
  const emails = [user.email.toLowerCase()]
  const archive = new Archive(source, { id, emails, names: [fullName(user)] })
  yield* writeZip(archive.files(), source.attempt.zip, () => !source.attempt.isSuspended)
}

/** The position where the next invocation continues the archive. */
interface ArchivePosition {
  /** The index of the exported file in PERSONAL_DATA; beyond the last one, the submitted files are next. */
  table: number
  after: unknown[] | undefined
  /** The number of the next file of the table. */
  part: number
  /** The ID of the last submitted file. */
  upload: number
  bytes: number
  counts: Record<string, number>
  leftOut: string[]
}

type Row = Record<string, unknown>

class Archive {
  private readonly source: ExportSource
  private readonly person: DataSubject
  private readonly counts: Record<string, number>
  private readonly leftOut: string[]
  private readonly from: ArchivePosition | undefined

  constructor(source: ExportSource, person: DataSubject) {
    this.source = source
    this.person = person
    this.from = source.attempt.resumeFrom as ArchivePosition | undefined
    this.counts = this.from?.counts ?? {}
    this.leftOut = this.from?.leftOut ?? []
  }

  /** Suspends the export if this invocation reached its limits. @returns whether it did */
  private suspendIfFull(position: Partial<ArchivePosition>): boolean {
    const { attempt } = this.source
    if (!attempt.isFull()) return false
    const { counts, leftOut } = this
    attempt.suspendAt({ table: 0, after: undefined, part: 1, upload: 0, bytes: 0, ...position, counts, leftOut })
    return true
  }

  async *files(): AsyncGenerator<ArchiveFile> {
    yield { path: "README.txt", pieces: [README] }
    const all = PERSONAL_DATA.flatMap(({ table, exports }) => exports.map((exported) => ({ table, exported })))
    for (const [index, { table, exported }] of all.entries()) {
      if (index < (this.from?.table ?? 0)) continue
      const { after, part } = this.from?.table === index ? this.from : { after: undefined, part: 1 }
      const percent = Math.floor((95 * index) / all.length)
      const pages = this.pages(table, exported, percent, { table: index, after, part })
      const first = await pages.next()
      const { file } = exported
      if (!first.done) {
        this.counts[file] ??= 0
        yield {
          path: part === 1 ? `${file}.json` : `${file}.${part}.json`,
          pieces: this.array(file, first.value, pages),
        }
      }
      if (this.source.attempt.isSuspended || this.suspendIfFull({ table: index + 1 })) return
    }
    yield* this.uploads(all.length)
    if (this.source.attempt.isSuspended) return
    yield { path: "manifest.json", pieces: [this.manifest()] }
  }

  /** Writes a JSON array in pages. */
  private async *array(file: string, firstPage: Row[], pages: AsyncGenerator<Row[]>): AsyncGenerator<string> {
    let prefix = "["
    for (let rows: Row[] | undefined = firstPage; rows; rows = (await pages.next()).value || undefined) {
      yield prefix + rows.map((row) => `\n${JSON.stringify(row)}`).join(",")
      prefix = ","
      this.counts[file] = (this.counts[file] ?? 0) + rows.length
      this.source.attempt.rows += rows.length
    }
    yield "\n]\n"
  }

  /** The pages of a table that have rows of the person. Each query batch renews the lease. */
  private async *pages(
    table: SQLiteTable,
    exported: PersonalDataFile,
    percent: number,
    position: Pick<ArchivePosition, "table" | "after" | "part">,
  ): AsyncGenerator<Row[], void> {
    const { db, attempt } = this.source
    const { key, fullScan } = exported
    const fields = { ...exportedColumns(table, exported), ...keyFields(key) } as SelectedFields
    const size = fullScan ? SCAN_PAGE_SIZE : PAGE_SIZE
    const columns = sql.join(key, sql`, `)
    const isOwn = exported.rows(this.person)
    let isEmpty = true
    for (let { after } = position; ; ) {
      if (attempt.isOver) return
      const isAfter = after
        ? sql`(${columns}) > (${sql.join(
            after.map((value) => sql`${value}`),
            sql`, `,
          )})`
        : sql`1`
      const isNext = fullScan ? isAfter : sql`${isAfter} and ${isOwn}`
      // The last key of the page. In a full scan, its row may belong to another person.
      const end = selectFrom(
        db,
        keyFields(key),
        sql`from ${table} where ${isNext} order by ${columns} limit 1 offset ${size - 1}`,
      )
      const isInPage = fullScan
        ? sql`${isAfter} and ${isOwn} and ((${columns}) <= (
            select ${columns} from ${table} where ${isAfter} order by ${columns} limit 1 offset ${size - 1}
          ) or (select count(*) from (select 1 from ${table} where ${isAfter} limit ${size})) < ${size})`
        : isNext
      const page = selectFrom(
        db,
        fields,
        sql`from ${table} where ${isInPage} order by ${columns} ${fullScan ? sql`` : sql`limit ${size}`}`,
      )
      const [renewed, rows, [last]] = await db.batch([attempt.renewLease(percent), page, end])
      attempt.requireLease(Array.isArray(renewed) ? renewed.length : 0)
      if (rows.length > 0) {
        isEmpty = false
        yield rows.map((row) => formatRow(table, row, exported))
      }
      if (!last) return
      after = key.map((_, index) => last[keyName(index)])
      if (this.suspendIfFull({ ...position, after, part: isEmpty ? position.part : position.part + 1 })) return
    }
  }

  /** The submitted files. */
  private async *uploads(table: number): AsyncGenerator<ArchiveFile> {
    const { db, env, attempt } = this.source
    let written = this.from?.bytes ?? 0
    for (let after = this.from?.upload ?? 0; ; ) {
      const [renewed, files] = await db.batch([
        attempt.renewLease(96),
        db
          .select()
          .from(assignmentUploads)
          .where(sql`${assignmentUploads.id} > ${after} and ${isOwnUpload(this.person)}`)
          .orderBy(assignmentUploads.id)
          .limit(PAGE_SIZE),
      ])
      attempt.requireLease(Array.isArray(renewed) ? renewed.length : 0)
      for (const { id, objectKey, filename, bytes } of files) {
        const path = `files/${id}-${filename.replace(/[/\\:]/g, "-")}`
        const object = written + bytes > MAX_FILE_BYTES ? null : await env.FILES.get(objectKey)
        attempt.countCall()
        written += object?.size ?? 0
        if (object) yield { path, pieces: object.body }
        else this.leftOut.push(path)
        if (this.suspendIfFull({ table, upload: id, bytes: written })) return
      }
      const last = files.at(-1)
      if (!last || files.length < PAGE_SIZE) return
      after = last.id
    }
  }

  private manifest(): string {
    const { person, counts, leftOut } = this
    const manifest = { userId: person.id, madeAt: new Date(now()).toISOString(), records: counts, leftOut }
    return `${JSON.stringify(manifest, null, 2)}\n`
  }
}

const keyName = (index: number) => `key ${index}`
const keyFields = (key: AnyColumn[]): Record<string, SQL> =>
  Object.fromEntries(key.map((column, index) => [keyName(index), sql`${column}`]))

/** The exported values of a row, with times in ISO 8601. */
function formatRow(table: SQLiteTable, row: Row, exported: PersonalDataFile): Row {
  const columns = getTableColumns(table)
  return Object.fromEntries(
    Object.keys(exportedColumns(table, exported)).map((name) => {
      const value = row[name]
      const isTime = columns[name]?.dataType === "number" && /At$/.test(name)
      return [name, isTime ? (typeof value === "number" && value > 0 ? new Date(value).toISOString() : null) : value]
    }),
  )
}
