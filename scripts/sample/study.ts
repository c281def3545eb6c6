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

/** Enrolments in every state, by a learning path and with a group's seats too, and what was done in them. */
export async function study(all: Academy) {
  const academy = await all.by(TEACHER)
  const rows = await academy.sql(
    `select courses.id, modules.id, modules.type from courses join course_modules on course_modules.course_id = courses.id
     join modules on modules.id = course_modules.module_id where modules.type <> 'assignment' order by courses.id, course_modules.position`,
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
    (await academy.sql("select user_id, course_id, id from enrolments")).map(([user, course, id]) => [
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
        score: step.userId % 2 === 0 ? 8 : 6,
        outOf: 10,
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
  const [tried] = await academy.sql("select count(*) from quiz_attempts")
  if (Number(tried?.[0]) === 0) await academy.post("/api/quiz/record", { attempts })
}
