import { type Academy, DAY, TEACHER } from "./academy.ts"

interface Module {
  id: number
  type: string
}

interface Course {
  id: number
  modules: Module[]
}

/** A registration: how many of its course's modules were opened, and how many days ago it was made. */
interface Step {
  userId: number
  course: Course
  done: number
  begun: number
}

/** Enrollments in every state, also by a learning path and with a group's seats, and their progress. */
export async function study(all: Academy) {
  const academy = await all.by(TEACHER)
  const rows = await academy.sql(
    `select courses.id, modules.id, modules.type
    from courses
    join course_modules on course_modules.course_id = courses.id
    join modules on modules.id = course_modules.module_id
    where modules.type not in ('assignment', 'scorm')
    order by courses.id, course_modules.position`,
  )
  const courses = [...Map.groupBy(rows, ([course]) => Number(course))].map(
    ([id, of]): Course => ({
      id,
      modules: of.map(([, module, type]) => ({ id: Number(module), type: String(type) })),
    }),
  )
  const learners = [academy.userId("learner@example.com"), ...academy.learners()]
  // learner@example.com has done the first course, is in the midst of the second, and has yet to begin the third.
  const steps = learners.flatMap((userId, index) =>
    courses.flatMap((course, place): Step[] => {
      if (place === 3 ? index % 4 !== 0 : (index + place) % 3 === 2 && index > 0) return []
      const done = [4, 2, 0, 1][(place + Math.floor(index / 2)) % 4] ?? 0
      return [{ userId, course, done, begun: 120 - index * 2 - place * 7 }]
    }),
  )
  const day = (ago: number) => new Date(academy.at - ago * DAY).toISOString()
  const group = await academy.sql("select id from groups where name = 'Evening class'")
  const seated = courses[0]
  if (seated)
    await academy.post("/api/course/enroll", {
      course_ids: [seated.id],
      user_ids: learners.slice(0, 6),
      group_id: Number(group[0]?.[0]),
      registered_on: day(130),
    })
  await academy.post("/api/course/record", {
    registrations: steps.map(({ userId, course, begun }) => ({
      user_id: userId,
      course_id: course.id,
      registered_on: day(begun),
    })),
  })
  const paths = await academy.sql("select id from learning_paths")
  await academy.post("/api/learningpath/enroll", {
    learning_path_ids: paths.map(([id]) => id),
    user_ids: learners.slice(0, 12),
  })

  const registrations = new Map(
    (await academy.sql("select user_id, course_id, id from enrollments")).map(([user, course, id]) => [
      `${user} ${course}`,
      Number(id),
    ]),
  )
  const registrationOf = ({ userId, course }: Step) => registrations.get(`${userId} ${course.id}`)
  const attempts = steps.flatMap((step) => {
    const quiz = step.course.modules.findIndex((module) => module.type === "quiz")
    if (step.done <= quiz) return []
    const at = step.begun - 10
    return [
      {
        registrationId: registrationOf(step),
        moduleId: step.course.modules[quiz]?.id,
        isGood: step.userId % 2 === 0,
        submitted_on: day(at),
        started_on: day(at + 0.01),
      },
    ]
  })
  const states = steps.flatMap((step) =>
    [...step.course.modules.slice(0, step.done).entries()].flatMap(([index, module]) => {
      if (module.type === "quiz") return []
      const last = index === step.done - 1 && step.done < step.course.modules.length
      return [
        {
          registrationId: registrationOf(step),
          moduleId: module.id,
          started_on: day(step.begun - index * 3 - 1),
          ...(last ? { percentage: 60 } : { completed_on: day(step.begun - index * 3 - 2) }),
          timeSpent: 300 + (step.userId % 7) * 60,
        },
      ]
    }),
  )
  await academy.post("/api/module/record", { records: states })
  // Dates are relative to the load: attempts of an earlier, interrupted one stay the only ones.
  const tried = new Set(
    (await academy.sql("select enrollment_id from quiz_attempts where status = 'Completed'")).map(([id]) => Number(id)),
  )
  const left = attempts.filter(({ registrationId }) => !tried.has(registrationId ?? 0))
  const answered = left.slice(0, Math.max(0, ANSWERED - tried.size))
  for (const attempt of answered) await answer(all, attempt)
  const recorded = left
    .slice(answered.length)
    .map(({ isGood, ...attempt }) => ({ ...attempt, score: isGood ? 8 : 6, outOf: 10 }))
  if (recorded.length > 0) await academy.post("/api/quiz/record", { attempts: recorded })
}

/**
 * How many attempts have their questions and answers; of the others the score alone is known, as of another system's.
 */
const ANSWERED = 20

interface Attempt {
  registrationId: number | undefined
  moduleId: number | undefined
  /** All is answered right, rather than the first question alone. */
  isGood: boolean
  started_on: string
  submitted_on: string
}

/** Takes a quiz for a learner: staff may, of another day. */
async function answer(academy: Academy, { registrationId, moduleId, isGood, started_on, submitted_on }: Attempt) {
  const { attemptId, questions } = await academy.post<{
    attemptId: number
    questions: { id: number; options: { id: number }[] }[]
  }>("/api/quiz/attempt", { registrationId, moduleId, started_on })
  // The first option of a sample question is the right one, the second is wrong.
  const answers = questions.map(({ id, options }, index) => ({
    questionId: id,
    optionIds: [options[isGood || index === 0 ? 0 : 1]?.id],
  }))
  await academy.post("/api/quiz/submit", { attemptId, answers, submitted_on })
}
