import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Academy } from "./academy.ts"

const [INK, MUTED, GOLD] = ["#1f3a68", "#5b6880", "#8a6a1f"]

/** A text in a box across the page, centered. */
const centered = (key: string, top: number, size: number, more: object = {}) => ({
  key,
  value: key.replaceAll("_", " "),
  font_size: size,
  font_family: "Times-Roman",
  font_color: MUTED,
  top,
  left: 120,
  align_center: true,
  width: 883,
  height: Math.ceil(size * 1.3),
  show_tools: false,
  ...more,
})
const label = (value: string, top: number, size: number, more: object = {}) =>
  centered("custom_text", top, size, { value, ...more })

/** A text above a line at the foot of the page, and its label below. */
const signed = (key: string, name: string, left: number) => [
  centered(key, 588, 20, { font_color: INK, left, width: 280 }),
  label(name, 626, 13, { font_family: "Helvetica", left, width: 280 }),
]

/** A certificate with its title, the learner, the course, the date, the instructor and the verification code. */
const texts = (title: string, did: string) => [
  label(title, 100, 52, { font_family: "Times-Bold", font_color: INK }),
  label("This is to certify that", 206, 20),
  centered("student_full_name", 252, 54, { font_family: "Times-Bold", font_color: GOLD }),
  label(did, 350, 20),
  centered("course_name", 392, 36, { font_family: "Times-Bold", font_color: INK, height: 92 }),
  ...signed("issue_date", "Date of issue", 120),
  ...signed("instructor_name", "Instructor", 723),
  label("Certificate code", 676, 12, { font_family: "Helvetica", left: 120, width: 280 }),
  centered("certificate_code", 696, 13, { font_family: "Courier", left: 120, width: 280 }),
]

const PAGE = { width: 1123, height: 794, qr_code: { show: true, left: 821, top: 652, size: 84 } }

/** Two templates: courses use the first (see courses.ts), and who completes one has its certificate. */
export async function certificates(academy: Academy) {
  const made = [
    await academy.create("/api/certificate_template", "certificate-completion", {
      ...PAGE,
      name: "Certificate of completion",
      fields: texts("Certificate of Completion", "has completed the course"),
    }),
    await academy.create("/api/certificate_template", "certificate-attendance", {
      ...PAGE,
      name: "Certificate of attendance",
      fields: texts("Certificate of Attendance", "has attended"),
    }),
  ]
  for (const id of made) {
    const path = `/api/certificate_template/${id}`
    const { bg_url } = await academy.get<{ bg_url: string }>(path)
    if (bg_url === "") await academy.put(path, { bg_url: await frame(academy) })
  }
}

/** The frame, the seal and the lines for texts, rendered from certificate.svg at twice its size. */
async function frame(academy: Academy): Promise<string> {
  const form = new FormData()
  const image = readFileSync(join(import.meta.dirname, "certificate.png"))
  form.set("file", new File([image], "certificate.png", { type: "image/png" }))
  return (await academy.upload<{ storage_url: string }>("/api/certificate_template/upload", form)).storage_url
}
