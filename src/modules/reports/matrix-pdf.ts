import type { TemplateField } from "../../../drizzle/schema/certificates.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { type KeysetPage, keysetPage } from "../../db/keyset.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { loadFontCatalog, loadFontFile } from "../../lib/pdf/font-files.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"
import { loadWords, statusText, type Words } from "../../lib/texts/texts.ts"
import { academyName } from "../../lib/web/academy.ts"
import type { PageDrawing, PageText } from "../certificates/pdf-pages.ts"
import type { ExportSource } from "../exports/export-files.ts"
import type { MatrixFilters } from "./matrix.schemas.ts"
import type { MatrixCell, PersonHistory } from "./matrix-cells.ts"
import { matrixColumns } from "./matrix-columns.ts"
import { matrixIterator, openMatrix } from "./matrix-sheet.ts"

// The matrix as a PDF: A4 pages in landscape, people in rows, at most eight courses on a page. Lengths in pixels of
// 1/96 inch.

const PAGE = { width: 1123, height: 794 }
const MARGIN = 48
const NAME_WIDTH = 210
const COURSES_PER_PAGE = 8
const COURSE_WIDTH = (PAGE.width - 2 * MARGIN - NAME_WIDTH) / COURSES_PER_PAGE
const TABLE_TOP = 128
const ROW_HEIGHT = 32
const ROWS_PER_PAGE = Math.floor((PAGE.height - 64 - TABLE_TOP - 40) / ROW_HEIGHT)
const PEOPLE_PER_QUERY = 500
const INK = "#111111"
const GRAY = "#555555"

/** Colors of statuses, dark enough to be read in print without the color. */
const COLORS: Record<string, string> = {
  Completed: "#146c2e",
  [DueStatus.Completed]: "#146c2e",
  [DueStatus.CompletedLate]: "#7a5200",
  [DueStatus.Overdue]: "#b3261e",
  [DueStatus.DueSoon]: "#7a5200",
  [DueStatus.Exempt]: GRAY,
}

/** What a cell says, and its color. */
function cellText(cell: MatrixCell | null, words: Words): { text: string; color: string } {
  if (!cell) return { text: words.t("matrix.not-enrolled"), color: GRAY }
  const hasDueStatus = cell.dueStatus !== null && words.has(`status.${cell.dueStatus}`)
  const status = hasDueStatus && cell.dueStatus ? cell.dueStatus : cell.status
  return { text: statusText(words, status), color: COLORS[status] ?? INK }
}

interface Box {
  left: number
  top: number
  width: number
  height: number
}

function textAt(text: string, box: Box, { size = 12, bold = false, color = INK } = {}): PageText {
  const field: TemplateField = {
    ...{ key: "custom_text", value: "", align_center: false, show_tools: false },
    ...{ font_size: size, font_family: bold ? "Arial-Bold" : "Arial", font_color: color },
    ...box,
  }
  return { field, text }
}

interface Person {
  name: string
  email: string
  cells: (MatrixCell | null)[]
}

/** Reads all people. The start of the export limits their number. */
async function readPeople({ db, caller, attempt }: ExportSource, filters: MatrixFilters, opened: Opened) {
  const iterator = matrixIterator(caller, filters)
  const people: Person[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const pages = keysetPage(db, iterator, after, PEOPLE_PER_QUERY)
    const [ends, found, renewed] = await db.batch([...pages.statements, attempt.renewLease(50)])
    attempt.requireLease(Array.isArray(renewed) ? renewed.length : 0)
    const page: KeysetPage<{ history: PersonHistory }> = pages.read(ends, found)
    for (const row of page.rows) {
      const { name, email } = matrixColumns.toRow({ ...row })
      people.push({ name, email, cells: opened.cellsOf(row) })
    }
    after = page.next
  }
  return people.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}
type Opened = Awaited<ReturnType<typeof openMatrix>>

const slicesOf = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )

/** The texts of the people and courses of one page. */
function* tableTexts(opened: Opened, people: Person[], firstCourse: number, words: Words): Generator<PageText> {
  const courses = opened.courses.slice(firstCourse, firstCourse + COURSES_PER_PAGE)
  const date = (iso: string | null) => (iso ? words.date(wallTimeOf(Date.parse(iso), opened.zone)) : "")
  const boxOf = (column: number, top: number, height: number): Box =>
    column < 0
      ? { left: MARGIN, top, width: NAME_WIDTH - 10, height }
      : { left: MARGIN + NAME_WIDTH + column * COURSE_WIDTH, top, width: COURSE_WIDTH - 8, height }
  for (const [column, { name }] of courses.entries())
    yield textAt(name, boxOf(column, TABLE_TOP, 34), { size: 11, bold: true })
  for (const [row, { name, email, cells }] of people.entries()) {
    const top = TABLE_TOP + 40 + row * ROW_HEIGHT
    yield textAt(name || email, boxOf(-1, top, 15))
    if (name) yield textAt(email, boxOf(-1, top + 15, 13), { size: 9, color: GRAY })
    for (const column of courses.keys()) {
      const cell = cells[firstCourse + column] ?? null
      const { text, color } = cellText(cell, words)
      yield textAt(text, boxOf(column, top, 15), { size: 11, color })
      const due = cell?.dueAt ? words.t("matrix.due", { date: date(cell.dueAt) }) : ""
      const day = cell?.completedAt ? date(cell.completedAt) : due
      yield textAt(day, boxOf(column, top + 15, 13), { size: 9, color: GRAY })
    }
  }
}

/** Puts a text on the other side of a page that runs from right to left. */
const mirrored = ({ field, text }: PageText): PageText => ({
  field: { ...field, left: PAGE.width - field.left - field.width },
  text,
})

const pdfPages = onDemand(() => import("../certificates/pdf-pages.ts"))

/** Writes the matrix as a PDF. */
export async function* writeMatrixPdf(source: ExportSource, filters: MatrixFilters): AsyncGenerator<Uint8Array> {
  const { env, db, caller, attempt } = source
  const opened = await openMatrix(db, caller, filters, env)
  const words = await loadWords(opened.language)
  const { t } = words
  const people = await readPeople(source, filters, opened)
  const author = opened.academy ?? academyName(env)
  const title = t("matrix")
  const asOf = t("matrix.as-of", { date: words.date(wallTimeOf(opened.asOf, opened.zone)), zone: opened.zone })
  const tables = slicesOf(people, ROWS_PER_PAGE).flatMap((rows) =>
    slicesOf(opened.courses, COURSES_PER_PAGE).map((_, at) => [
      ...tableTexts(opened, rows, at * COURSES_PER_PAGE, words),
    ]),
  )
  const inReadingOrder = (texts: PageText[]) => (words.direction === "rtl" ? texts.map(mirrored) : texts)
  const wide = { left: MARGIN, width: PAGE.width - 2 * MARGIN }
  const pages = tables.map(
    (texts, at): PageDrawing => ({
      ...PAGE,
      texts: inReadingOrder([
        textAt(title, { ...wide, top: 44, height: 34 }, { size: 24, bold: true }),
        textAt(
          [author, asOf, t("matrix.people", { count: people.length })].join(" · "),
          { ...wide, top: 84, height: 20 },
          { color: GRAY },
        ),
        ...texts,
        textAt(
          t("page", { page: at + 1, pages: tables.length }),
          { ...wide, top: PAGE.height - 44, height: 16 },
          { size: 10, color: GRAY },
        ),
      ]),
    }),
  )
  const [{ drawPages }, catalog] = await Promise.all([pdfPages(), loadFontCatalog(env.ASSETS)])
  const { bytes } = await drawPages({
    ...{ title, author, at: new Date(opened.asOf), pages, catalog },
    loadFont: (file) => loadFontFile(env.ASSETS, file),
  })
  attempt.rows = people.length
  yield bytes
}
