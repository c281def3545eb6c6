import { type AnyColumn, eq, getTableColumns, type SQL, sql } from "drizzle-orm"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
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
import { type DataSubject, ofOwnUpload, PLACES, type Told, toldColumns } from "./personal-data.ts"

// All that is held about a person, as a zip archive: each told file of `PLACES` is an array of JSON objects, written a
// page at a time while it is read.

type Filter = z.output<typeof personalDataExport>
interface Target {
  id: number
  userType: string
}

/** Administrators may ask for anybody's data but an owner's, owners for anybody's, everybody for their own. */
export const personalDataCheck: ExportCheck<Filter, Target> = {
  read: ({ db, caller }, { userId }) =>
    db
      .select({ id: users.id, userType: users.userType })
      .from(users)
      .where(sql`${eq(users.id, userId ?? caller.id ?? 0)} and ${canSeeUser(caller, users.id)}`),
  validate({ caller }: UnitOfWork, [target]) {
    if (!target) throw notFound("user")
    if (target.id !== caller.id && !mayHandOver(caller, target.userType))
      throw forbidden("Your role does not allow you to ask for this person's data.")
  },
}

const mayHandOver = (caller: Caller, userType: string) =>
  hasRole(caller, "admin") && canChangeUserOfType(caller, userType)

/** How many rows a page reads; of a table that is passed as a whole, how many it passes. */
const PAGE = { found: 500, passed: 5000 }
/** How many bytes of files an archive holds: what is beyond is named in the manifest. */
const MOST_BYTES = 3_500_000_000

const README = `All that is held about one person, at the moment when the archive was made.

manifest.json   whose data it is, when it was made, and how many records each file has
*/*.json        arrays of records, a file for each kind, or several (.2.json …); files without records are left out
files/          what was submitted for assignments, as it was uploaded

Times are ISO 8601 in UTC; a time that has not come is null. Amounts are in the currency's minor unit. Ids are those of
the interface. Secrets are left out: passwords, keys, links and codes.
`

/** The archive's bytes. @throws when the person is gone */
export async function* personalDataFile(source: ExportSource, { userId }: Filter): AsyncGenerator<Uint8Array> {
  const id = userId ?? source.caller.id ?? 0
  const [[user]] = await source.db.batch([source.db.select().from(users).where(eq(users.id, id))])
  if (!user) throw new Error("The person is gone.")
  const emails = [user.email.toLowerCase()]
  const archive = new Archive(source, { id, emails, names: [fullName(user)] })
  yield* writeZip(archive.files(), source.attempt.zip, () => !source.attempt.isSuspended)
}

/** Where an archive goes on: behind which key of which table, or of the submitted files. */
interface ArchivePlace {
  table: number
  after: unknown[] | undefined
  /** Which of several files of the table is next. */
  part: number
  upload: number
  bytes: number
  counts: Record<string, number>
  leftOut: string[]
}

type Row = Record<string, unknown>

/** One archive while it is written. */
class Archive {
  private readonly source: ExportSource
  private readonly person: DataSubject
  private readonly counts: Record<string, number>
  private readonly leftOut: string[]
  private readonly from: ArchivePlace | undefined

  constructor(source: ExportSource, person: DataSubject) {
    this.source = source
    this.person = person
    this.from = source.attempt.resumeFrom as ArchivePlace | undefined
    this.counts = this.from?.counts ?? {}
    this.leftOut = this.from?.leftOut ?? []
  }

  /** Stops if this invocation is full. @returns whether it is */
  private stop(place: Partial<ArchivePlace>): boolean {
    const { attempt: pace } = this.source
    if (!pace.isFull()) return false
    const { counts, leftOut } = this
    pace.suspendAt({ table: 0, after: undefined, part: 1, upload: 0, bytes: 0, ...place, counts, leftOut })
    return true
  }

  async *files(): AsyncGenerator<ArchiveFile> {
    yield { path: "README.txt", pieces: [README] }
    const told = PLACES.flatMap(({ table, told }) => told.map((one) => ({ table, told: one })))
    for (const [at, { table, told: one }] of told.entries()) {
      if (at < (this.from?.table ?? 0)) continue
      const { after, part } = this.from?.table === at ? this.from : { after: undefined, part: 1 }
      const percent = Math.floor((95 * at) / told.length)
      const pages = this.pages(table, one, percent, { table: at, after, part })
      const first = await pages.next()
      if (!first.done) {
        this.counts[one.file] ??= 0
        const path = part === 1 ? `${one.file}.json` : `${one.file}.${part}.json`
        yield { path, pieces: this.array(one.file, first.value, pages) }
      }
      if (this.source.attempt.isSuspended || this.stop({ table: at + 1 })) return
    }
    yield* this.uploads(told.length)
    if (this.source.attempt.isSuspended) return
    yield { path: "manifest.json", pieces: [this.manifest()] }
  }

  /** A JSON array, a page of rows after the other. */
  private async *array(file: string, first: Row[], rest: AsyncGenerator<Row[]>): AsyncGenerator<string> {
    let before = "["
    for (let rows: Row[] | undefined = first; rows; rows = (await rest.next()).value || undefined) {
      yield before + rows.map((row) => `\n${JSON.stringify(row)}`).join(",")
      before = ","
      this.counts[file] = (this.counts[file] ?? 0) + rows.length
      this.source.attempt.rows += rows.length
    }
    yield "\n]\n"
  }

  /** The pages of a told table that have rows; each page's trip renews the lease. */
  private async *pages(
    table: Parameters<typeof toldColumns>[0],
    told: Told,
    percent: number,
    place: Pick<ArchivePlace, "table" | "after" | "part">,
  ): AsyncGenerator<Row[], void> {
    const { db, attempt: pace } = this.source
    const { key, passes } = told
    const fields = { ...toldColumns(table, told), ...keyFields(key) } as SelectedFields
    const size = passes ? PAGE.passed : PAGE.found
    const columns = sql.join(key, sql`, `)
    let isEmpty = true
    for (let { after } = place; ; ) {
      if (pace.isOver) return
      const beyond = after
        ? sql`(${columns}) > (${sql.join(
            after.map((value) => sql`${value}`),
            sql`, `,
          )})`
        : sql`1`
      const some = passes ? beyond : sql`${beyond} and ${told.rows(this.person)}`
      // Where the page ends: of a table that is passed, whether or not any of its rows is the person's.
      const end = selectFrom(
        db,
        keyFields(key),
        sql`from ${table} where ${some} order by ${columns} limit 1 offset ${size - 1}`,
      )
      const within = passes
        ? sql`${beyond} and ${told.rows(this.person)} and ((${columns}) <= (
            select ${columns} from ${table} where ${beyond} order by ${columns} limit 1 offset ${size - 1}
          ) or (select count(*) from (select 1 from ${table} where ${beyond} limit ${size})) < ${size})`
        : some
      const rows = selectFrom(
        db,
        fields,
        sql`from ${table} where ${within} order by ${columns} ${passes ? sql`` : sql`limit ${size}`}`,
      )
      const [renewed, found, [last]] = await db.batch([pace.renewLease(percent), rows, end])
      pace.requireLease(Array.isArray(renewed) ? renewed.length : 0)
      if (found.length > 0) {
        isEmpty = false
        yield found.map((row) => spelled(table, row, told))
      }
      if (!last) return
      after = key.map((_, at) => last[keyName(at)])
      if (this.stop({ ...place, after, part: isEmpty ? place.part : place.part + 1 })) return
    }
  }

  /** The files that were submitted, as bytes. */
  private async *uploads(table: number): AsyncGenerator<ArchiveFile> {
    const { db, env, attempt: pace } = this.source
    let written = this.from?.bytes ?? 0
    for (let after = this.from?.upload ?? 0; ; ) {
      const [renewed, found] = await db.batch([
        pace.renewLease(96),
        db
          .select()
          .from(assignmentUploads)
          .where(sql`${assignmentUploads.id} > ${after} and ${ofOwnUpload(this.person)}`)
          .orderBy(assignmentUploads.id)
          .limit(PAGE.found),
      ])
      pace.requireLease(Array.isArray(renewed) ? renewed.length : 0)
      for (const { id, objectKey, filename, bytes } of found) {
        const path = `files/${id}-${filename.replace(/[/\\:]/g, "-")}`
        const object = written + bytes > MOST_BYTES ? null : await env.FILES.get(objectKey)
        pace.countCall()
        written += object?.size ?? 0
        if (object) yield { path, pieces: object.body }
        else this.leftOut.push(path)
        if (this.stop({ table, upload: id, bytes: written })) return
      }
      const last = found.at(-1)
      if (!last || found.length < PAGE.found) return
      after = last.id
    }
  }

  private manifest(): string {
    const { person, counts, leftOut } = this
    const told = { userId: person.id, madeAt: new Date(now()).toISOString(), records: counts, leftOut }
    return `${JSON.stringify(told, null, 2)}\n`
  }
}

const keyName = (at: number) => `key ${at}`
const keyFields = (key: AnyColumn[]): Record<string, SQL> =>
  Object.fromEntries(key.map((column, at) => [keyName(at), sql`${column}`]))

/** A row as it is told: times in words of ISO 8601, its keys by the columns' own names alone. */
function spelled(table: Parameters<typeof toldColumns>[0], row: Row, told: Told): Row {
  const columns = getTableColumns(table)
  const names = Object.keys(toldColumns(table, told))
  return Object.fromEntries(
    names.map((name) => {
      const value = row[name]
      const isTime = columns[name]?.dataType === "number" && /At$/.test(name)
      return [name, isTime ? (typeof value === "number" && value > 0 ? new Date(value).toISOString() : null) : value]
    }),
  )
}
