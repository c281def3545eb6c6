import type { TemplateField } from "../../../drizzle/schema/certificates.ts"
import { DueStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import type { Bindings } from "../../env.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { loadFontCatalog, loadFontFile } from "../../lib/pdf/font-files.ts"
import { groupCharacters } from "../../lib/text/words.ts"
import { wallTimeOf } from "../../lib/text/zones.ts"
import { loadWords, statusText, type Words } from "../../lib/texts/texts.ts"
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
  { title: "column.course", left: MARGIN, width: 232 },
  { title: "column.cycle", left: 297, width: 40 },
  { title: "column.status", left: 341, width: 112 },
  { title: "column.completed", left: 457, width: 82 },
  { title: "column.due", left: 543, width: 82 },
  { title: "column.result", left: 629, width: 46 },
  { title: "column.certificate", left: 679, width: 62 },
] as const

/** Due statuses that say more than the status; the others are not printed. */
const PRINTED_DUE_STATUSES: ReadonlySet<string> = new Set([
  DueStatus.OnTrack,
  DueStatus.DueSoon,
  DueStatus.Overdue,
  DueStatus.CompletedLate,
  DueStatus.Exempt,
])

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
function* linesOf({ courses, otherCertificates, timeZone }: Transcript, words: Words): Generator<string[] | string> {
  const { t } = words
  const date = (iso: string | null) => (iso ? words.date(wallTimeOf(Date.parse(iso), timeZone)) : "")
  const statusOf = ({ status, dueStatus, percentComplete }: Cycle) => {
    if (dueStatus && PRINTED_DUE_STATUSES.has(dueStatus)) return statusText(words, dueStatus)
    const text = statusText(words, status)
    return status === EnrollmentStatus.InProgress ? `${text}, ${percentComplete} %` : text
  }
  const certificateText = (revokedAt: string | null) => t(revokedAt ? "cell.revoked" : "cell.issued")
  const signed = (text: string, name: string | null) => (name ? t("transcript.by", { text, name }) : text)
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
        certificate ? certificateText(certificate.revokedAt) : "",
      ]
      for (const { until, reason, by, endedAt } of cycle.exemptions) {
        const text = until
          ? t("transcript.exempt-until", { until: date(until), reason })
          : t("transcript.exempt", { reason })
        yield signed(endedAt ? t("transcript.ended", { text, date: date(endedAt) }) : text, by)
      }
      for (const { dueAt, previousDueAt, reason, by } of cycle.extensions) {
        const key = previousDueAt ? "transcript.extended-from" : "transcript.extended"
        yield signed(t(key, { from: date(previousDueAt), date: date(dueAt), reason }), by)
      }
    }
  for (const { courseName, issuedAt, revokedAt } of otherCertificates)
    yield [courseName, "", t("cell.certificate"), date(issuedAt), "", "", certificateText(revokedAt)]
}

/** The header of the first page. */
function* header(transcript: Transcript, issuedAt: number, { t, date }: Words): Generator<PageText> {
  const width = PAGE.width - 2 * MARGIN - CODE_SIZE - 20
  yield textAt(t("transcript"), MARGIN, 57, width, 40, { size: 30, bold: true })
  yield textAt(transcript.name, MARGIN, 105, width, 30, { size: 20 })
  yield textAt(transcript.academy, MARGIN, 137, width, 22, { size: 15, color: GRAY })
  const issued = t("transcript.issued", { date: date(wallTimeOf(issuedAt, transcript.timeZone)) })
  yield textAt(issued, MARGIN, 161, width, 20, { color: GRAY })
}

/** Puts a text on the other side of a page that runs from right to left. */
const mirrored = ({ field, text }: PageText): PageText => ({
  field: { ...field, left: PAGE.width - field.left - field.width },
  text,
})

/** Divides the lines into pages. */
function layOutPages(
  transcript: Transcript,
  { code, digest, issuedAt }: IssuedDocument,
  link: string,
  words: Words,
): PageDrawing[] {
  const pages: PageText[][] = []
  let top = BOTTOM
  const startPage = () => {
    const isFirst = pages.length === 0
    top = isFirst ? 200 : MARGIN
    const titles = COLUMNS.map(({ title, left, width }) =>
      textAt(words.t(title), left, top, width, 20, { size: 12, bold: true }),
    )
    pages.push([...(isFirst ? header(transcript, issuedAt, words) : []), ...titles])
    top += ROW_HEIGHT
  }
  startPage()
  for (const line of linesOf(transcript, words)) {
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
      [groupCharacters(code, 6), `SHA-256 ${digest}`, words.t("page", { page: number, pages: pages.length })].join(
        "   ",
      ),
      MARGIN,
      PAGE.height - 52,
      PAGE.width - 2 * MARGIN,
      18,
      { size: 10, color: GRAY },
    )
  const isMirrored = words.direction === "rtl"
  return pages.map((texts, at) => ({
    ...PAGE,
    texts: [...texts, foot(at + 1)].map((text) => (isMirrored ? mirrored(text) : text)),
    ...(at === 0 && {
      code: {
        ...{ show: true, top: 48, size: CODE_SIZE, link },
        left: isMirrored ? MARGIN : PAGE.width - MARGIN - CODE_SIZE,
      },
    }),
  }))
}

interface IssuedDocument {
  code: string
  digest: string
  issuedAt: number
  /** The language of the person. */
  language: string | null
}

const pdfPages = onDemand(() => import("../certificates/pdf-pages.ts"))

/** Draws an issued transcript. The QR code leads to its public page. */
export async function renderTranscript(env: Bindings, origin: string, issued: IssuedDocument, transcript: Transcript) {
  const [{ drawPages }, catalog, words] = await Promise.all([
    pdfPages(),
    loadFontCatalog(env.ASSETS),
    loadWords(issued.language),
  ])
  const { bytes, missing } = await drawPages({
    title: `${words.t("transcript")}: ${transcript.name}`,
    author: transcript.academy,
    at: new Date(issued.issuedAt),
    pages: layOutPages(transcript, issued, `${origin}/transcript/${issued.code}`, words),
    catalog,
    loadFont: (file) => loadFontFile(env.ASSETS, file),
  })
  return { bytes, filename: `Transcript ${transcript.name.replace(/[/\\:]/g, "-")}.pdf`, missing }
}
