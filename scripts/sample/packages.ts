import { createZip } from "../lib/zip.ts"
import { type Academy, DAY, TEACHER } from "./academy.ts"

const NAME = "Fire safety, a tour"

const MANIFEST = `<?xml version="1.0"?>
<manifest identifier="fire-safety" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3">
  <metadata><schema>ADL SCORM</schema><schemaversion>2004 4th Edition</schemaversion></metadata>
  <organizations default="tour"><organization identifier="tour"><title>${NAME}</title>
    <item identifier="page" identifierref="pages"><title>${NAME}</title></item></organization></organizations>
  <resources><resource identifier="pages" type="webcontent" adlcp:scormType="sco" href="index.html"/></resources>
</manifest>`

/** Asks one question, and reports the answer to the player. */
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${NAME}</title>
<main><h1>${NAME}</h1><p>Where do you meet after the alarm?</p>
<button value="assembly_point">At the assembly point</button> <button value="canteen">In the canteen</button>
<p role="status"></p></main>
<script>
  const find = (frame) => frame.API_1484_11 ?? (frame.parent === frame ? undefined : find(frame.parent))
  const player = find(window)
  player?.Initialize("")
  for (const button of document.querySelectorAll("button"))
    button.addEventListener("click", () => {
      const right = button.value === "assembly_point"
      document.querySelector("[role=status]").textContent = right ? "Right." : "No: ask the safety officer."
      const values = {
        "cmi.interactions.0.id": "meeting",
        "cmi.interactions.0.type": "choice",
        "cmi.interactions.0.learner_response": button.value,
        "cmi.interactions.0.result": right ? "correct" : "incorrect",
        "cmi.score.scaled": right ? "1" : "0",
        "cmi.completion_status": "completed",
        "cmi.success_status": right ? "passed" : "failed",
      }
      for (const [name, value] of Object.entries(values)) player?.SetValue(name, value)
      player?.Commit("")
    })
</script></html>`

/** The report of a player: an answer to each question, or an unfinished attempt. */
function report(answers: string[], minutes: number) {
  const asked = ["assembly_point", "extinguisher"]
  const right = answers.filter((answer, index) => answer === asked[index]).length
  const isDone = answers.length === asked.length
  return {
    "cmi.completion_status": isDone ? "completed" : "incomplete",
    "cmi.success_status": isDone ? (right > 0 ? "passed" : "failed") : "unknown",
    "cmi.score.raw": String((100 * right) / asked.length),
    "cmi.score.min": "0",
    "cmi.score.max": "100",
    "cmi.score.scaled": String(right / asked.length),
    "cmi.session_time": `PT${minutes}M`,
    "cmi.exit": isDone ? "normal" : "suspend",
    ...Object.fromEntries(
      answers.flatMap((answer, index) => [
        [`cmi.interactions.${index}.id`, `question-${index + 1}`],
        [`cmi.interactions.${index}.type`, "choice"],
        [`cmi.interactions.${index}.description`, index === 0 ? "Where do you meet?" : "What puts out a small fire?"],
        [`cmi.interactions.${index}.learner_response`, answer],
        [`cmi.interactions.${index}.correct_responses.0.pattern`, asked[index] ?? ""],
        [`cmi.interactions.${index}.result`, answer === asked[index] ? "correct" : "incorrect"],
      ]),
    ),
  }
}

/**
 * Of the list of learners, 0 being learner@example.com: what each has done in the package. The next has yet to open it.
 */
const DONE = [
  report(["assembly_point", "extinguisher"], 12),
  report(["assembly_point", "water"], 9),
  report(["canteen", "water"], 4),
  report(["assembly_point"], 3),
]

/** A course of one SCORM package that learners have passed, failed, begun and not opened yet. */
export async function packages(all: Academy) {
  const academy = await all.by(TEACHER)
  const [there] = await academy.sql("select id from modules where type = 'scorm' and name = ?", [NAME])
  const moduleId = there ? Number(there[0]) : await uploaded(academy)
  const courseId = await academy.create("/api/course/create", "fire-safety", {
    name: "Fire safety",
    status: "publish",
    estimatedMinutes: 15,
    authorId: academy.userId(TEACHER),
    modules: [{ module_id: moduleId }],
  })
  const learners = [academy.userId("learner@example.com"), ...academy.learners()].slice(0, DONE.length + 1)
  await academy.post("/api/course/enroll", {
    course_ids: [courseId],
    user_ids: learners,
    registered_on: new Date(academy.at - 9 * DAY).toISOString(),
  })
  const registrations = await academy.sql(
    `select enrollments.user_id, enrollments.id from enrollments where course_id = ?
     and not exists (select 1 from scorm_attempts where scorm_attempts.enrollment_id = enrollments.id)`,
    [courseId],
  )
  for (const [userId, registrationId] of registrations) {
    const cmi = DONE[learners.indexOf(Number(userId))]
    if (cmi) await academy.post("/api/scorm/commit", { registrationId, moduleId, cmi })
  }
}

async function uploaded(academy: Academy): Promise<number> {
  const form = new FormData()
  form.set("name", NAME)
  form.set("package", await createZip({ "imsmanifest.xml": MANIFEST, "index.html": PAGE }))
  return (await academy.upload<{ id: number }>("/api/modules/scorm", form)).id
}
