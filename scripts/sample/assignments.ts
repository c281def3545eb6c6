import { type Academy, DAY } from "./academy.ts"

const MODULES = [
  {
    key: "essay",
    name: "Writing workshop: An essay",
    content: "<p>Six hundred words on something that you changed your mind about.</p>",
    submission_type: "text",
    totalPoints: 20,
  },
  {
    key: "poster",
    name: "Writing workshop: A poster",
    content: "<p>One page that a passer-by understands in ten seconds. As a PDF or an image.</p>",
    submission_type: "file",
    allowed_filetypes: ["pdf", "image"],
    maxUploadSize: 10,
    totalPoints: 10,
  },
  {
    key: "letter",
    name: "Writing workshop: A letter of complaint",
    content: "<p>A letter that gets what it asks for.</p>",
    submission_type: "text",
    totalPoints: 15,
  },
]

/** The smallest page that a reader opens. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 47>>stream
BT /F 48 Tf 70 700 Td (Read more. Sleep.) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

/** A learner's submission: how many days ago, and its result. */
interface Work {
  /** Of the list of learners: 0 is learner@example.com. */
  learner: number
  module: number
  ago: number
  verdict?: { isAccepted: boolean; pointsAwarded?: number; instructorMessage: string }
}

const WORK: Work[] = [
  {
    learner: 0,
    module: 0,
    ago: 20,
    verdict: { isAccepted: true, pointsAwarded: 17, instructorMessage: "Clear, and honest. Mind the commas." },
  },
  { learner: 0, module: 1, ago: 2 },
  {
    learner: 0,
    module: 2,
    ago: 6,
    verdict: { isAccepted: false, pointsAwarded: 6, instructorMessage: "Say in the first line what you want." },
  },
  { learner: 1, module: 0, ago: 18, verdict: { isAccepted: true, pointsAwarded: 20, instructorMessage: "Splendid." } },
  { learner: 1, module: 2, ago: 1 },
  { learner: 2, module: 0, ago: 12, verdict: { isAccepted: true, pointsAwarded: 12, instructorMessage: "Good." } },
  { learner: 3, module: 0, ago: 3 },
  {
    learner: 4,
    module: 0,
    ago: 9,
    verdict: { isAccepted: false, instructorMessage: "Half of it is about the weather. Try again." },
  },
]

/** A course of assignments: submitted and awaiting their evaluation, accepted, and returned. */
export async function assignments(academy: Academy) {
  const modules: number[] = []
  for (const { key, ...module } of MODULES)
    modules.push(await academy.create("/api/modules/assignment", `workshop-${key}`, module))
  const courseId = await academy.create("/api/course/create", "writing-workshop", {
    name: "Writing workshop",
    status: "publish",
    estimatedMinutes: 240,
    authorId: academy.userId("tomas.herrera@example.com"),
    modules: modules.map((module_id) => ({ module_id, required: true })),
  })
  const learners = [academy.userId("learner@example.com"), ...academy.learners().slice(0, 7)]
  const day = (ago: number) => new Date(academy.at - ago * DAY).toISOString()
  await academy.post("/api/course/record", {
    registrations: learners.map((user_id) => ({ user_id, course_id: courseId, registered_on: day(30) })),
  })
  const registrations = new Map(
    (await academy.sql("select user_id, id from enrollments where course_id = ?", [courseId])).map(([user, id]) => [
      Number(user),
      Number(id),
    ]),
  )
  const known = await academy.sql("select enrollment_id, module_id, status from submissions where course_id = ?", [
    courseId,
  ])
  for (const { learner, module, ago, verdict } of WORK) {
    const registrationId = registrations.get(learners[learner] ?? 0)
    const moduleId = modules[module]
    const [, , status] = known.find((row) => Number(row[0]) === registrationId && Number(row[1]) === moduleId) ?? []
    const ref = { registrationId, moduleId }
    if (!status) {
      const work =
        module === 1 ? { submissions: [await poster(academy)] } : { submission: "<p>It began in spring.</p>" }
      const submission = { ...ref, ...work, studentMessage: "I hope that you like it.", submitted_on: day(ago) }
      await academy.post("/api/module/assignment/submit", submission)
    }
    if (verdict && (!status || status === "Submitted"))
      await academy.post("/api/module/assignment/evaluate", { ...ref, evaluation: verdict })
  }
}

async function poster(academy: Academy): Promise<string> {
  const form = new FormData()
  form.set("file", new File([PDF], "poster.pdf", { type: "application/pdf" }))
  return (await academy.upload<{ storage_url: string }>("/api/module/assignment/upload", form)).storage_url
}
