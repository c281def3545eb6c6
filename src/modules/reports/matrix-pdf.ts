import type { TemplateField } from "../../../drizzle/schema/certificates.ts"
import { type KeysetPage, keysetPage } from "../../db/keyset.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { loadFontCatalog, loadFontFile } from "../../lib/pdf/font-files.ts"
import { displayDate } from "../../lib/text/dates.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"
import { academyName } from "../../lib/web/academy.ts"
import type { PageDrawing, PageText } from "../certificates/pdf-pages.ts"
import type { ExportSource } from "../exports/export-files.ts"
import type { MatrixFilters } from "./matrix.schemas.ts"
import type { MatrixCell, PersonHistory } from "./matrix-cells.ts"
import { matrixColumns } from "./matrix-columns.ts"
import { labelOf, matrixIterator, openMatrix } from "./matrix-sheet.ts"

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

/** Dark enough to be read in print without the color. */
const COLORS: Record<string, string> = {
  Completed: "#146c2e",
  "Completed late": "#7a5200",
  Overdue: "#b3261e",
  "Due soon": "#7a5200",
  Exempt: GRAY,
  "Not enrolled": GRAY,
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
function* tableTexts(opened: Opened, people: Person[], firstCourse: number): Generator<PageText> {
  const courses = opened.courses.slice(firstCourse, firstCourse + COURSES_PER_PAGE)
  const date = (iso: string | null) => (iso ? displayDate(wallTimeOf(Date.parse(iso), opened.zone)) : "")
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
      const label = labelOf(cell)
      yield textAt(label, boxOf(column, top, 15), { size: 11, color: COLORS[label] ?? INK })
      const day = cell?.completedAt ? date(cell.completedAt) : cell?.dueAt ? `Due ${date(cell.dueAt)}` : ""
      yield textAt(day, boxOf(column, top + 15, 13), { size: 9, color: GRAY })
    }
  }
}

const pdfPages = onDemand(() => import("../certificates/pdf-pages.ts"))

/** Writes the matrix as a PDF. */
export async function* writeMatrixPdf(source: ExportSource, filters: MatrixFilters): AsyncGenerator<Uint8Array> {
  const { env, db, caller, attempt } = source
  const opened = await openMatrix(db, caller, filters, env)
  const people = await readPeople(source, filters, opened)
  const author = opened.academy ?? academyName(env)
  const title = "Compliance matrix"
  const asOf = `As of ${displayDate(wallTimeOf(opened.asOf, opened.zone))} (${opened.zone})`
  const tables = slicesOf(people, ROWS_PER_PAGE).flatMap((rows) =>
    slicesOf(opened.courses, COURSES_PER_PAGE).map((_, at) => [...tableTexts(opened, rows, at * COURSES_PER_PAGE)]),
  )
  const wide = { left: MARGIN, width: PAGE.width - 2 * MARGIN }
  const pages = tables.map(
    (texts, at): PageDrawing => ({
      ...PAGE,
      texts: [
        textAt(title, { ...wide, top: 44, height: 34 }, { size: 24, bold: true }),
        textAt(`${author} · ${asOf} · ${people.length} people`, { ...wide, top: 84, height: 20 }, { color: GRAY }),
        ...texts,
        textAt(
          `Page ${at + 1} of ${tables.length}`,
          { ...wide, top: PAGE.height - 44, height: 16 },
          { size: 10, color: GRAY },
        ),
      ],
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
