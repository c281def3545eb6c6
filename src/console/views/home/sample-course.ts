import { api } from "../../api/client.ts"
import { invalidatePaths } from "../../api/queries.ts"
import { loadWithMessages, t } from "../../messages/messages.ts"

const POINTS = 5
const PASS_PERCENT = 50
const MINUTES = 10

/** A question whose first option is correct. */
const question = (name: "certificate" | "help") => ({
  text: t(`sample:question.${name}`),
  type: "single" as const,
  points: POINTS,
  options: ["a", "b", "c"].map((option, index) => ({
    text: t(`sample:question.${name}.${option}`),
    correct: index === 0,
  })),
})

const text = async (name: "welcome" | "how") => {
  const paragraphs = ["1", "2"].map((part) => `<p>${t(`sample:${name}.text-${part}`)}</p>`)
  const { data } = await api.POST("/api/modules/text", {
    body: { name: t(`sample:${name}`), content: paragraphs.join("") },
  })
  return data.id
}

/** The template of the classic design: that of an earlier course, or a new one. */
async function certificateTemplate(): Promise<number> {
  const { createTemplate, designLabel, designs } = await loadWithMessages(
    "certificates",
    import("../certificates/designs.ts"),
  )
  const [design] = designs("#1d4ed8")
  if (!design) throw new Error("There is no design.")
  const { data } = await api.GET("/api/certificate_templates/lookup")
  return data.find(({ name }) => name === designLabel(design))?.id ?? (await createTemplate(design))
}

/**
 * Creates a draft with two texts, a quiz and a certificate, in the language of the console.
 * @returns the id of the course
 */
export async function createSampleCourse(academy: string): Promise<number> {
  const certificateTemplateId = await certificateTemplate()
  const modules = [await text("welcome"), await text("how")]
  const quiz = await api.POST("/api/modules/quiz", {
    body: {
      name: t("sample:quiz"),
      content: `<p>${t("sample:quiz.about")}</p>`,
      passPercent: PASS_PERCENT,
      questions: [question("certificate"), question("help")],
    },
  })
  const { data } = await api.POST("/api/course/create", {
    body: {
      name: t("sample:course", { academy }),
      content: `<p>${t("sample:course.about")}</p>`,
      estimatedMinutes: MINUTES,
      certificateTemplateId,
      modules: [...modules, quiz.data.id].map((module_id) => ({ module_id })),
    },
  })
  await invalidatePaths(["/api/courses", "/api/modules"])
  return data.id
}
