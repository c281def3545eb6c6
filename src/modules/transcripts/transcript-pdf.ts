import type { TemplateField } from "../../../drizzle/schema/certificates.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import type { Bindings } from "../../env.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { loadFontCatalog, loadFontFile } from "../../lib/pdf/font-files.ts"
import { displayDate } from "../../lib/text/dates.ts"
import { groupCharacters } from "../../lib/text/words.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"
import type { PageDrawing, PageText } from "../certificates/pdf-pages.ts"
import type { Transcript } from "./transcripts.schemas.ts"

// The PDF of an issued transcript: A4 pages with a row for each cycle. Lengths in pixels of 1/96 inch.

const PAGE = { width: 794, height: 1123 }
const MARGIN = 57
const BOTTOM = PAGE.height - 80
const ROW_HEIGHT = 24
const CODE_SIZE = 120
const INK = "#111111"
const GRAY = "#555555"

/** The columns of the table, with their left edges and widths. */
const COLUMNS = [
  { title: "Course", left: MARGIN, width: 232 },
  { title: "Cycle", left: 297, width: 40 },
  { title: "Status", left: 341, width: 112 },
  { title: "Completed", left: 457, width: 82 },
  { title: "Due", left: 543, width: 82 },
  { title: "Result", left: 629, width: 46 },
  { title: "Certificate", left: 679, width: 62 },
] as const

const STATUS: Record<string, string> = {
  [DueStatus.OnTrack]: "On track",
  [DueStatus.DueSoon]: "Due soon",
  [DueStatus.Overdue]: "Overdue",
  [DueStatus.CompletedLate]: "Completed late",
  [DueStatus.Exempt]: "Exempt",
}

interface Style {
  size?: number
  bold?: boolean
  color?: string
}

function textAt(text: string, left: number, top: number, width: number, height: number, style: Style = {}): PageText {
  const { size = 13, bold = false, color = INK } = style
  const field: TemplateField = {
    key: "custom_text",
    value: "",
    font_size: size,
    font_family: bold ? "Arial-Bold" : "Arial",
    font_color: color,
    top,
    left,
    align_center: false,
    width,
    height,
    show_tools: false,
  }
  return { field, text }
}

type Cycle = Transcript["courses"][number]["cycles"][number]

/** The lines of a transcript: the cells of a row, or a note across the page. */
function* linesOf({ courses, otherCertificates, timeZone }: Transcript): Generator<string[] | string> {
  const date = (iso: string | null) => (iso ? displayDate(wallTimeOf(Date.parse(iso), timeZone)) : "")
  const statusOf = ({ status, dueStatus, percentComplete }: Cycle) =>
    STATUS[dueStatus ?? ""] ?? (status === "In Progress" ? `${status}, ${percentComplete} %` : status)
  for (const { courseName, cycles } of courses)
    for (const cycle of cycles) {
      const { percentAchieved, certificate } = cycle
      yield [
        courseName,
        String(cycle.cycle),
        statusOf(cycle),
        date(cycle.completedAt),
        date(cycle.dueAt),
        percentAchieved === null ? "" : `${percentAchieved} %`,
        certificate ? (certificate.revokedAt ? "Revoked" : "Issued") : "",
      ]
      for (const { until, reason, by, endedAt } of cycle.exemptions)
        yield `Exempt${until ? ` until ${date(until)}` : ""}${endedAt ? `, ended ${date(endedAt)}` : ""}: ${reason}${
          by ? ` (${by})` : ""
        }`
      for (const { dueAt, previousDueAt, reason, by } of cycle.extensions)
        yield `Extended${previousDueAt ? ` from ${date(previousDueAt)}` : ""} to ${date(dueAt)}: ${reason}${
          by ? ` (${by})` : ""
        }`
    }
  for (const { courseName, issuedAt, revokedAt } of otherCertificates)
    yield [courseName, "", "Certificate", date(issuedAt), "", "", revokedAt ? "Revoked" : "Issued"]
}

/** The header of the first page. */
function* header(transcript: Transcript, issuedAt: number): Generator<PageText> {
  const width = PAGE.width - 2 * MARGIN - CODE_SIZE - 20
  yield textAt("Transcript", MARGIN, 57, width, 40, { size: 30, bold: true })
  yield textAt(transcript.name, MARGIN, 105, width, 30, { size: 20 })
  yield textAt(transcript.academy, MARGIN, 137, width, 22, { size: 15, color: GRAY })
  const date = displayDate(wallTimeOf(issuedAt, transcript.timeZone))
  yield textAt(`Issued ${date}`, MARGIN, 161, width, 20, { color: GRAY })
}

/** Divides the lines into pages. */
function layOutPages(transcript: Transcript, { code, digest, issuedAt }: IssuedDocument, link: string): PageDrawing[] {
  const pages: PageText[][] = []
  let top = BOTTOM
  const startPage = () => {
    const isFirst = pages.length === 0
    top = isFirst ? 200 : MARGIN
    const titles = COLUMNS.map(({ title, left, width }) =>
      textAt(title, left, top, width, 20, { size: 12, bold: true }),
    )
    pages.push([...(isFirst ? header(transcript, issuedAt) : []), ...titles])
    top += ROW_HEIGHT
  }
  startPage()
  for (const line of linesOf(transcript)) {
    if (top + ROW_HEIGHT > BOTTOM) startPage()
    const texts =
      typeof line === "string"
        ? [textAt(line, MARGIN + 14, top, PAGE.width - 2 * MARGIN - 14, 20, { size: 11, color: GRAY })]
        : line.map((text, at) => {
            const { left, width } = COLUMNS[at] ?? COLUMNS[0]
            return textAt(text, left, top, width, 20, { size: 12 })
          })
    pages.at(-1)?.push(...texts)
    top += ROW_HEIGHT
  }
  const foot = (number: number) =>
    textAt(
      `${groupCharacters(code, 6)}   SHA-256 ${digest}   Page ${number} of ${pages.length}`,
      MARGIN,
      PAGE.height - 52,
      PAGE.width - 2 * MARGIN,
      18,
      { size: 10, color: GRAY },
    )
  return pages.map((texts, at) => ({
    ...PAGE,
    texts: [...texts, foot(at + 1)],
    ...(at === 0 && {
      code: { show: true, left: PAGE.width - MARGIN - CODE_SIZE, top: 48, size: CODE_SIZE, link },
    }),
  }))
}

interface IssuedDocument {
  code: string
  digest: string
  issuedAt: number
}

const pdfPages = onDemand(() => import("../certificates/pdf-pages.ts"))

/** Draws an issued transcript. The QR code leads to its public page. */
export async function renderTranscript(env: Bindings, origin: string, issued: IssuedDocument, transcript: Transcript) {
  const [{ drawPages }, catalog] = await Promise.all([pdfPages(), loadFontCatalog(env.ASSETS)])
  const { bytes, missing } = await drawPages({
    title: `Transcript: ${transcript.name}`,
    author: transcript.academy,
    at: new Date(issued.issuedAt),
    pages: layOutPages(transcript, issued, `${origin}/transcript/${issued.code}`),
    catalog,
    loadFont: (file) => loadFontFile(env.ASSETS, file),
  })
  return { bytes, filename: `Transcript ${transcript.name.replace(/[/\\:]/g, "-")}.pdf`, missing }
}
