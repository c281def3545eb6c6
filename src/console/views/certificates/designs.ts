import { api } from "../../api/client.ts"
import { invalidatePaths } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"

// Ready certificates: a drawn background, and texts that fit it. Sizes are in pixels of an A4 page in landscape.

export const DESIGN_PAGE = { width: 1123, height: 794 }
/** Twice the size of the page, so that the background is sharp in print. */
const SCALE = 2

/** A filled rectangle, or with `line` its outline. */
export interface Shape {
  box: readonly [left: number, top: number, width: number, height: number]
  color: string
  line?: number
}

/** Text that is written on every certificate, by message key; or a field of the certificate. */
interface DesignText {
  key: "custom_text" | "student_full_name" | "course_name" | "issue_date" | "instructor_name" | "academy_name"
  text?: "title" | "certifies" | "completed" | "date" | "instructor"
  top: number
  size: number
  color: string
  font?: "Times-Roman" | "Times-Bold" | "Helvetica" | "DejaVuSans-Bold"
  left?: number
  width?: number
  isStart?: boolean
}

export interface Design {
  name: "classic" | "modern" | "bold" | "minimal"
  shapes: readonly Shape[]
  texts: readonly DesignText[]
  qr: { left: number; top: number; size: number }
}

const { width: W, height: H } = DESIGN_PAGE
const [INK, MUTED, GOLD, PAPER, LINE] = ["#1f2a44", "#5b6880", "#a8842c", "#fdfaf2", "#d5dae2"]

/** The lower part of a centered design: date and instructor above lines. */
const signatures = (color: string): DesignText[] => [
  { key: "issue_date", top: 610, size: 20, color, left: 130, width: 260 },
  { key: "custom_text", text: "date", top: 650, size: 14, color: MUTED, left: 130, width: 260 },
  { key: "instructor_name", top: 610, size: 20, color, left: 733, width: 260 },
  { key: "custom_text", text: "instructor", top: 650, size: 14, color: MUTED, left: 733, width: 260 },
]
const signatureLines: Shape[] = [
  { box: [130, 643, 260, 1], color: MUTED },
  { box: [733, 643, 260, 1], color: MUTED },
]
const CENTERED_QR = { left: 516, top: 610, size: 92 }

/** @param accent the academy's color */
export const designs = (accent: string): Design[] => [
  {
    name: "classic",
    shapes: [
      { box: [0, 0, W, H], color: PAPER },
      { box: [28, 28, W - 56, H - 56], color: GOLD, line: 4 },
      { box: [42, 42, W - 84, H - 84], color: GOLD, line: 1 },
      ...[
        [28, 28],
        [W - 72, 28],
        [28, H - 72],
        [W - 72, H - 72],
      ].map(([left = 0, top = 0]): Shape => ({ box: [left, top, 44, 44], color: GOLD, line: 2 })),
      { box: [461, 178, 200, 2], color: GOLD },
      ...signatureLines,
    ],
    texts: [
      { key: "custom_text", text: "title", top: 104, size: 50, color: INK, font: "Times-Bold" },
      { key: "custom_text", text: "certifies", top: 216, size: 22, color: MUTED, font: "Times-Roman" },
      { key: "student_full_name", top: 262, size: 56, color: GOLD, font: "Times-Bold" },
      { key: "custom_text", text: "completed", top: 364, size: 22, color: MUTED, font: "Times-Roman" },
      { key: "course_name", top: 410, size: 38, color: INK, font: "Times-Bold" },
      { key: "academy_name", top: 520, size: 20, color: MUTED, font: "Times-Roman" },
      ...signatures(INK),
    ],
    qr: CENTERED_QR,
  },
  {
    name: "modern",
    shapes: [
      { box: [0, 0, W, H], color: "#ffffff" },
      { box: [0, 0, 64, H], color: accent },
      { box: [76, 0, 8, H], color: accent },
      { box: [160, 196, 120, 5], color: accent },
      { box: [160, 643, 240, 1], color: LINE },
      { box: [460, 643, 240, 1], color: LINE },
    ],
    texts: [
      { key: "academy_name", top: 80, size: 20, color: MUTED, left: 160, width: 800, isStart: true },
      { key: "custom_text", text: "title", top: 118, size: 46, color: INK, left: 160, width: 840, isStart: true },
      { key: "custom_text", text: "certifies", top: 248, size: 20, color: MUTED, left: 160, width: 840, isStart: true },
      {
        ...{ key: "student_full_name", top: 284, size: 52, color: accent, font: "DejaVuSans-Bold" },
        ...{ left: 160, width: 840, isStart: true },
      },
      { key: "custom_text", text: "completed", top: 384, size: 20, color: MUTED, left: 160, width: 840, isStart: true },
      { key: "course_name", top: 420, size: 36, color: INK, left: 160, width: 840, isStart: true },
      { key: "issue_date", top: 610, size: 20, color: INK, left: 160, width: 240, isStart: true },
      { key: "custom_text", text: "date", top: 652, size: 14, color: MUTED, left: 160, width: 240, isStart: true },
      { key: "instructor_name", top: 610, size: 20, color: INK, left: 460, width: 240, isStart: true },
      {
        key: "custom_text",
        text: "instructor",
        top: 652,
        size: 14,
        color: MUTED,
        left: 460,
        width: 240,
        isStart: true,
      },
    ],
    qr: { left: 900, top: 580, size: 110 },
  },
  {
    name: "bold",
    shapes: [
      { box: [0, 0, W, H], color: "#ffffff" },
      { box: [0, 0, W, 230], color: accent },
      { box: [0, H - 18, W, 18], color: accent },
      ...signatureLines,
    ],
    texts: [
      { key: "academy_name", top: 56, size: 20, color: "#ffffff" },
      { key: "custom_text", text: "title", top: 98, size: 52, color: "#ffffff", font: "DejaVuSans-Bold" },
      { key: "custom_text", text: "certifies", top: 276, size: 20, color: MUTED },
      { key: "student_full_name", top: 312, size: 54, color: INK, font: "DejaVuSans-Bold" },
      { key: "custom_text", text: "completed", top: 410, size: 20, color: MUTED },
      { key: "course_name", top: 446, size: 36, color: accent, font: "DejaVuSans-Bold" },
      ...signatures(INK),
    ],
    qr: CENTERED_QR,
  },
  {
    name: "minimal",
    shapes: [
      { box: [0, 0, W, H], color: "#ffffff" },
      { box: [40, 40, W - 80, H - 80], color: LINE, line: 1 },
      { box: [521, 40, 80, 6], color: accent },
      ...signatureLines,
    ],
    texts: [
      { key: "academy_name", top: 96, size: 20, color: MUTED },
      { key: "student_full_name", top: 216, size: 60, color: INK },
      { key: "custom_text", text: "completed", top: 326, size: 20, color: MUTED },
      { key: "course_name", top: 366, size: 38, color: INK },
      { key: "custom_text", text: "title", top: 480, size: 18, color: MUTED },
      ...signatures(INK),
    ],
    qr: CENTERED_QR,
  },
]

/** The box and the words of a text. Fields have a sample, which editors show. */
export const placeText = ({ left = 120, width = 883, ...text }: DesignText) => ({
  left,
  width,
  height: Math.ceil(text.size * 1.4),
  value: text.key === "custom_text" ? t(`certificates:design.text.${text.text}`) : t(`certificates:sample.${text.key}`),
})

const toFields = ({ texts }: Design) =>
  texts.map((text) => ({
    key: text.key,
    ...placeText(text),
    top: text.top,
    font_size: text.size,
    font_family: text.font ?? ("Helvetica" as const),
    font_color: text.color,
    align_center: !text.isStart,
    show_tools: false,
  }))

async function drawBackground({ shapes }: Design): Promise<File> {
  const canvas = document.createElement("canvas")
  canvas.width = W * SCALE
  canvas.height = H * SCALE
  const context = canvas.getContext("2d")
  if (!context) throw new Error("This browser has no canvas.")
  context.scale(SCALE, SCALE)
  for (const { box, color, line } of shapes) {
    context.fillStyle = color
    context.strokeStyle = color
    context.lineWidth = line ?? 0
    if (line) context.strokeRect(...box)
    else context.fillRect(...box)
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"))
  if (!blob) throw new Error("The background could not be drawn.")
  return new File([blob], "certificate.png", { type: "image/png" })
}

export const designLabel = ({ name }: Pick<Design, "name">) => t(`certificates:design.${name}`)

/** Creates a template of a design. @returns its id */
export async function createTemplate(design: Design, name = designLabel(design)): Promise<number> {
  const file = await drawBackground(design)
  const background = await api.POST("/api/certificate_template/upload", {
    body: { file },
    bodySerializer: () => {
      const form = new FormData()
      form.append("file", file)
      return form
    },
  })
  const { data } = await api.POST("/api/certificate_template", {
    body: {
      name,
      ...DESIGN_PAGE,
      bg_url: new URL(background.data.storage_url, location.origin).href,
      fields: toFields(design),
      qr_code: { show: true, ...design.qr },
    },
  })
  await invalidatePaths(["/api/certificate_templates"])
  return data.id
}
