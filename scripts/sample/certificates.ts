import type { Academy } from "./academy.ts"

/** A text across the page, centred. */
const centred = (key: string, top: number, size: number, more: object = {}) => ({
  key,
  value: key.replaceAll("_", " "),
  font_size: size,
  font_family: "Helvetica",
  font_color: "#1f2937",
  top,
  left: 100,
  align_center: true,
  width: 923,
  height: Math.ceil(size * 1.5),
  show_tools: false,
  ...more,
})

/** A small text at the foot of the page. */
const foot = (key: string, left: number, value = key) => ({
  ...centred(key, 640, 16, { align_center: false, value }),
  left,
  width: 240,
})

/** Two templates: courses use the first (see courses.ts), and who completes one has its certificate. */
export async function certificates(academy: Academy) {
  await academy.create("/api/certificate_template", "certificate-completion", {
    name: "Certificate of completion",
    width: 1123,
    height: 794,
    fields: [
      centred("custom_text", 110, 44, {
        value: "Certificate of completion",
        font_family: "Times-Bold",
        font_color: "#1d4ed8",
      }),
      centred("custom_text", 210, 20, { value: "This is to certify that" }),
      centred("student_full_name", 260, 48, { font_family: "Times-Bold" }),
      centred("custom_text", 350, 20, { value: "has completed the course" }),
      centred("course_name", 400, 34),
      foot("issue_date", 100),
      foot("instructor_name", 360),
      foot("certificate_code", 620),
    ],
  })
  await academy.create("/api/certificate_template", "certificate-attendance", {
    name: "Certificate of attendance",
    width: 794,
    height: 1123,
    fields: [
      centred("custom_text", 200, 40, { value: "Certificate of attendance", left: 50, width: 694 }),
      centred("student_full_name", 400, 40, { left: 50, width: 694, font_family: "DejaVuSans-Bold" }),
      centred("course_name", 500, 28, { left: 50, width: 694 }),
    ],
  })
}
